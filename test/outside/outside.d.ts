// What the tests use of packages that only `npm run test:outside` installs, so that the types of the project are complete without them.

declare module '@modelcontextprotocol/sdk/client/index.js' {
  export class Client {
    constructor(info: { readonly name: string; readonly version: string });
    connect(transport: object): Promise<void>;
    close(): Promise<void>;
    ping(): Promise<object>;
    getServerVersion(): object | undefined;
    listTools(): Promise<{
      readonly tools: readonly {
        readonly name: string;
        readonly description?: string;
        readonly inputSchema: { readonly required?: readonly string[] };
      }[];
    }>;
    callTool(call: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }): Promise<{ readonly content: unknown; readonly isError?: unknown }>;
  }
}

declare module '@modelcontextprotocol/sdk/client/stdio.js' {
  export class StdioClientTransport {
    readonly pid: number | null;
    constructor(server: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    });
  }
}

declare module 'ajv/dist/2020.js' {
  export class Ajv2020 {
    constructor(options: { readonly strict: boolean; readonly validateFormats: boolean });
    compile(schema: object): { (value: unknown): boolean; readonly errors: readonly object[] | null };
  }
}
