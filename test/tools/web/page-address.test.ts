import { expect, it } from 'vitest';
import { leadsElsewhere, toFetchUrl } from '../../../src/tools/web/page-address.js';

it.each([
  ['http://example.com/a?b#c', 'https://example.com/a?b'],
  ['https://example.com', 'https://example.com/'],
  ['http://example.com:80/', 'https://example.com/'],
  ['http://example.com:8080/', 'http://example.com:8080/'],
  ['http://93.184.216.34/', 'http://93.184.216.34/'],
  ['http://[2606:2800::1]/', 'http://[2606:2800::1]/'],
  ['http://localhost/', 'http://localhost/'],
  ['http://app.localhost./', 'http://app.localhost./'],
])('%s is fetched as %s', (given, fetched) => {
  expect(toFetchUrl(given)).toBe(fetched);
});

it.each([
  ['https://a.test/1', 'https://a.test/2', false],
  ['http://a.test/1', 'https://a.test/1', false],
  ['https://a.test/', 'https://www.a.test/', true],
  ['https://a.test/', 'https://a.test:444/', true],
  ['https://a.test:444/', 'https://a.test/', true],
  ['https://a.test/', 'http://a.test/', true],
  ['https://a.test/', 'ftp://a.test/', true],
])('a redirect from %s to %s leaves the host: %s', (from, to, leaves) => {
  expect(leadsElsewhere(from, to)).toBe(leaves);
});
