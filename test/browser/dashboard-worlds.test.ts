import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { FolderStore } from '../../src/node/state/folder-store.js';
import { temporaryFolder } from '../support/folder.js';
import { CHROMIUM } from './chromium.js';
import {
  backEnd,
  chargeOf,
  connected,
  faultsOf,
  lookAt,
  moveClock,
  stage,
  takePicture,
  type Stage,
} from './support.js';

/** Charges in the world of a key; gives the name of the world and the identifier of the charge. */
async function chargeIn({ url }: Stage, key: string, reference: string) {
  const { body } = await backEnd(url(), '/charge/card', chargeOf(reference), key);
  const world = await backEnd(url(), '/_sandbox/world', undefined, key);
  return { id: String(body['ChargeId']), name: String(world.body['World']) };
}

describe.skipIf(CHROMIUM === undefined)('links of the dashboard', () => {
  const here = stage('--clock', 'manual');

  test('lead a browser from the address of the server to the dashboard', async () => {
    const { page } = await here.visit('/');
    await connected(page);
    expect(new URL(page.url()).pathname).toBe('/_sandbox');
  });

  test('open the same record of the same world in another tab', async () => {
    const { id, name } = await chargeIn(here, 'sk_test_linked', 'linked');
    const { page } = await lookAt(here, 'sk_test_linked', '#/charges');
    await page.waitForURL(`**/_sandbox#/@${name}/charges`);
    await page.locator('[data-row]').first().click();
    await page.waitForURL(`**/_sandbox#/@${name}/charges/${id}`);
    const address = page.url();
    expect(address).not.toContain('sk_test');
    const other = await here.visit(address);
    await other.page.locator('.story').getByText('Charged').waitFor();
    await other.page.locator('.world').filter({ hasText: name }).waitFor();
    // Every view works without the key, and the clock moves.
    await other.page.getByRole('link', { name: 'Calls' }).click();
    await other.page.locator('.feed > li').filter({ hasText: 'linked' }).waitFor();
    await moveClock(other.page, '1h');
    expect(other.complaints).toEqual([]);
  });

  test('go back to the world that was shown before', async () => {
    const one = await chargeIn(here, 'sk_test_back_1', 'first-world');
    const two = await chargeIn(here, 'sk_test_back_2', 'second-world');
    const { page } = await here.visit(`/_sandbox#/@${one.name}/live`);
    await page.getByText('first-world').waitFor();
    await page.goto(`${here.url()}/_sandbox#/@${two.name}/live`);
    await page.getByText('second-world').waitFor();
    expect(await page.getByText('first-world').count()).toBe(0);
    await page.goBack();
    await page.getByText('first-world').waitFor();
  });

  test('list the worlds of the server, a page at a time, and open them', async () => {
    const { name } = await chargeIn(here, 'sk_test_busy', 'elsewhere');
    const { page, complaints } = await lookAt(here, 'sk_test_quiet', '', { bypassCSP: true });
    await page.getByText('No calls yet.').waitFor();
    await page.locator('.world').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/\d+ worlds, \d+ in memory\./).waitFor();
    await takePicture(page, 'dashboard-worlds-listed');
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('link', { name }).click();
    await page.getByText('elsewhere').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.waitForURL(`**/_sandbox#/@${name}/calls`);
    expect(complaints).toEqual([]);
  });

  test('ask for the latest calls again and again where something holds the stream back', async () => {
    await chargeIn(here, 'sk_test_local', 'before');
    const { page, complaints } = await here.visit('/_sandbox/errors');
    await page.route(/\/_sandbox\/live$/, () => {});
    await page.clock.install();
    await page.goto(`${here.url()}/_sandbox#/calls`);
    await page.getByText('Loading…').first().waitFor();
    await page.clock.runFor(15_000);
    await page.locator('.feed > li').filter({ hasText: 'before' }).waitFor();
    await chargeIn(here, 'sk_test_local', 'after');
    await page.clock.runFor(3_000);
    await page.locator('.feed > li').filter({ hasText: 'after' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('a server that opens no world by name', () => {
  const here = stage('--clock', 'manual', '--host', '0.0.0.0');

  test('opens links to the world of the key that was entered, and asks for the key of another one', async () => {
    const local = await chargeIn(here, 'sk_test_local', 'mine');
    const other = await chargeIn(here, 'sk_test_other', 'theirs');
    const url = here.url().replace('0.0.0.0', '127.0.0.1');
    const { page } = await here.visit(`${url}/_sandbox#/@${local.name}/charges/${local.id}`);
    await page.locator('.story').getByText('Charged').waitFor();
    await page.goto(`${url}/_sandbox#/@${other.name}/charges/${other.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.getByText('opens a world only by its key').first().waitFor();
    await takePicture(page, 'dashboard-unnamed');
    await dialog.getByLabel('Secret key').fill('sk_test_other');
    await dialog.getByRole('button', { name: 'Show this world' }).click();
    await page.locator('.story').getByText('Charged').waitFor();
    await page.waitForURL(`**/_sandbox#/@${other.name}/charges/${other.id}`);
    expect(await dialog.count()).toBe(0);
  });
});

describe.skipIf(CHROMIUM === undefined)('a server with a saved world that cannot be read', () => {
  const path = temporaryFolder();
  writeFileSync(join(path, `world-${new FolderStore(path).idOf('sk_test_torn')}.json`), '');
  const here = stage('--clock', 'manual', '--state', path);

  test('names it, with what is wrong, below the other worlds', async () => {
    await chargeIn(here, 'sk_test_whole', 'whole');
    const { page } = await lookAt(here, 'sk_test_whole', '');
    await page.locator('.world').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 worlds, 2 in memory.').waitFor();
    await dialog.getByText('not valid JSON').waitFor();
    await takePicture(page, 'dashboard-worlds-unreadable');
    expect(await faultsOf(page)).toEqual([]);
  });
});
