import { expect, test } from 'vitest';

import { type AddressKind, isOwnAddress, classifyAddress } from '../../../src/node/machine/addresses.js';
import { byName, words } from '../../support/tables.js';

const ADDRESSES: Readonly<Record<AddressKind, readonly string[]>> = {
  loopback: words`127.0.0.1 127.255.255.254 0.0.0.0 ::1 :: 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1`,
  private: words`
    10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fd12:3456::1 fc00::1
    ::ffff:10.0.0.1 ::ffff:0a00:0001
  `,
  metadata: words`
    169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254
    ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254 64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe
    2002:a9fe:a9fe::1
  `,
  reserved: [
    ...words`0.0.0.1 0.255.255.255 224.0.0.1 240.0.0.1 255.255.255.255 fe80::1 ff02::1 fe80::1%eth0 x`,
    '',
  ],
  public: words`
    8.8.8.8 172.32.0.1 172.15.255.255 192.169.0.1 11.0.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8
    64:ff9b::8.8.8.8
  `,
};

test.each(byName(ADDRESSES))('the kind %s is that of the address %j', (kind, address) => {
  expect(classifyAddress(address)).toBe(kind);
});

test('loopback addresses are those of this machine, and others are not', () => {
  const own = words`127.0.0.1 127.1.2.3 ::1 0.0.0.0 ::ffff:127.0.0.1`;
  expect(own.map(isOwnAddress)).not.toContain(false);
  expect(['192.0.2.1', '8.8.8.8', '2001:db8::1'].map(isOwnAddress)).not.toContain(true);
});
