/** A JSON number whose digits a JavaScript number would not preserve, such as `20.0`, `1e2` or `-0`. */
export class NumberText {
  constructor(readonly text: string) {}
}
