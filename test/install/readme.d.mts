export function readInstallLines(): { readonly inClone: string; readonly inProject: string };
