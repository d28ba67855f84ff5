import { CODE, refuse } from '../../core/errors.js';

/**
 * Takes the place of the package yaml in pages, where it would be an eighth of what they load. The reader of YAML constructs this
 * class before it uses anything else of the package.
 */
export function LineCounter(): never {
  return refuse(CODE.ValidationError, 'The body is YAML. In a browser a scenario must be JSON.');
}
