import { spawn } from 'node:child_process';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../dist/cli.js');

/** More than there are calls at a time, since a world is busy during a call. */
export const WORLDS_MAX = 8;

/** A server with --state. */
export class Server {
  static #all = new Set();

  /** Null before it is ready, and if it ended before. */
  url = null;
  stderr = '';

  /** `within`: a command that runs the one that follows it. */
  constructor(path, within = []) {
    const args = ['--port', '0', '--quiet', '--state', path, '--worlds-max', String(WORLDS_MAX)];
    const [command, ...words] = [...within, process.execPath, CLI, ...args];
    this.child = spawn(command, words, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    Server.#all.add(this);
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        Server.#all.delete(this);
        resolve(code);
      });
    });
    this.child.stderr.on('data', (bytes) => (this.stderr += bytes));
  }

  static spawn(path) {
    return new Server(path);
  }

  /** Resolves once it is ready, or has ended. */
  static async start(path, within) {
    const server = new Server(path, within);
    let printed = '';
    const ready = new Promise((resolve) => {
      server.child.stdout.on('data', (bytes) => {
        printed += bytes;
        [, server.url = null] = /listening on (\S+)\n/.exec(printed) ?? [];
        if (server.url !== null) resolve();
      });
    });
    await Promise.race([ready, server.ended]);
    return server;
  }

  kill() {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  static killAll() {
    for (const { child } of Server.#all) child.kill('SIGKILL');
  }
}
