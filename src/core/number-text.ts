/** A JSON number whose digits a JS number would not give back, such as `20.0`, `1e2` or `-0`. */
export class NumberText {
  constructor(readonly text: string) {}
}
