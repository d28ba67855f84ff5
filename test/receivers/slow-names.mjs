// Loaded before the program, also into its delivery thread: names below slow.test get no answer for half a minute, as with a VPN that is off.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (!name.endsWith('.slow.test')) return lookup(name, ...rest);
  const late = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: 'EAI_AGAIN' });
  const done = rest.at(-1);
  setTimeout(() => done(late), 30_000);
};
syncBuiltinESMExports();
