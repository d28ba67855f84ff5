import { CODE, refuse } from '../core/errors.js';

/** In place of the package yaml, which would be an eighth of what a page loads. */
export class LineCounter {
  constructor() {
    refuse(CODE.ValidationError, 'The body is YAML. In a browser a scenario must be JSON.');
  }
}
