import { CODE, refuse } from '../../core/errors.js';

/** The constructor that is called first, in place of the package yaml, which would be an eighth of what a page loads. */
export function LineCounter(): never {
  return refuse(CODE.ValidationError, 'The body is YAML. In a browser a scenario must be JSON.');
}
