import { escapeControls } from './terminal.js';

/** Formats a scenario as YAML, with control characters escaped. */
export async function formatYaml(scenario: object): Promise<string> {
  // Loaded on demand, because starts need no YAML.
  const { stringify } = await import('yaml');
  const layout = { lineWidth: 0, aliasDuplicateObjects: false };
  const plain = stringify(scenario, layout);
  if (escapeControls(plain) === plain) return plain;
  return escapeControls(stringify(scenario, { ...layout, defaultStringType: 'QUOTE_DOUBLE' }));
}
