/** The address of the sandbox whose page this is. An app that mounts the sandbox adds a path to it. */
export const sandboxHome = (): string => location.origin + location.pathname.replace(/\/_sandbox\b.*$/, '');
