// Asks the registry whether the packages in sbom.cdx.json, whose code is shipped, have known vulnerabilities: node build/audit.mjs.
// `npm audit --omit=dev` would ask about none, because the build bundles dev dependencies.
//
// An old version with a known fault is among them. If it is not found either, the registry has no audit, which this prints.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PLANTED = { name: 'minimist', version: '1.2.0' };

const { components } = JSON.parse(
  await readFile(join(dirname(import.meta.dirname), 'sbom.cdx.json'), 'utf8'),
);
const shipped = components.map(({ group, name, version }) => ({
  name: group ? `${group}/${name}` : name,
  version,
}));

/** What `npm audit` reports of packages, as if a project had installed them. */
async function auditOf(packages) {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-audit-'));
  const project = {
    name: 'shipped',
    version: '1.0.0',
    dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
  };
  const entries = packages.map(({ name, version }) => [`node_modules/${name}`, { version }]);
  const lock = { ...project, lockfileVersion: 3, packages: { '': project, ...Object.fromEntries(entries) } };
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify(project));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    return await new Promise((resolve) => {
      // It ends with an error if it finds something.
      execFile(
        'npm',
        ['audit', '--json'],
        { cwd: folder, shell: process.platform === 'win32' },
        (_, stdout) => resolve(JSON.parse(stdout)),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const { vulnerabilities = {}, message = '' } = await auditOf([...shipped, PLANTED]);
const found = shipped.filter(({ name }) => name in vulnerabilities);
if (!(PLANTED.name in vulnerabilities)) {
  process.stdout.write(
    `The registry has no audit: it does not know the fault of ${PLANTED.name} ${PLANTED.version}. ${message}\n`,
  );
} else {
  process.stdout.write(
    `Of ${shipped.length} packages that are shipped, ${found.length} have known vulnerabilities.\n`,
  );
}
for (const { name, version } of found) {
  const { severity, via } = vulnerabilities[name];
  process.stdout.write(
    `${name} ${version} (${severity}): ${via.map(({ title, url }) => `${title} ${url}`).join('; ')}\n`,
  );
  process.exitCode = 1;
}
