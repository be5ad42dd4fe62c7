import { describe, expect, it } from 'vitest';
import type { PermissionBehavior } from '../../../src/core/permission-types.js';
import { readEvalCase } from '../../../src/permissions/eval/eval-case.js';
import { judgeCase } from '../../../src/permissions/eval/judge-case.js';
import type { Rules } from '../corpus.js';

type Example = Rules & {
  readonly cls: string;
  readonly expect: PermissionBehavior;
  readonly urls: readonly string[];
  readonly resolves?: Readonly<Record<string, readonly string[]>>;
};

const allow = ['WebFetch'];

/** Cases of each class of ways to an address that is not meant, and harmless cases that look alike. */
const EXAMPLES: readonly Example[] = [
  {
    cls: 'ssrf-literal',
    expect: 'deny',
    allow,
    urls: [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://0x7f.1/',
      'http://017700000001/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://[fd00::1]/',
      'http://[fe80::1]/',
      'http://10.1.2.3/',
      'http://172.16.0.1/',
      'http://192.168.1.1:8080/',
      'http://0.0.0.0/',
      'http://localhost/',
      'http://LOCALHOST./',
    ],
  },
  {
    cls: 'ssrf-literal',
    expect: 'allow',
    allow,
    urls: ['8.8.8.8', '172.15.0.1', '192.167.1.1', '9.255.255.255', '[2606:4700::1111]'].map(
      (host) => `https://${host}/`,
    ),
  },
  {
    cls: 'ssrf-metadata',
    expect: 'deny',
    mode: 'bypassPermissions',
    allow: ['WebFetch(domain:169.254.169.254)'],
    urls: [
      'http://169.254.169.254/',
      'http://0xa9fea9fe/',
      'http://169.254.43518/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://0251.0376.0251.0376/',
    ],
  },
  {
    cls: 'ssrf-explicit',
    expect: 'allow',
    allow: ['WebFetch(domain:127.0.0.1)'],
    urls: [
      'http://127.0.0.1/',
      'http://127.0.0.1:9000/a',
      'https://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
    ],
  },
  {
    cls: 'ssrf-explicit',
    expect: 'deny',
    allow: ['WebFetch(domain:*)', 'WebFetch(domain:*.0.0.1)', 'WebFetch(domain:local*)'],
    urls: [
      'http://127.0.0.1/',
      'http://localhost/',
      'http://127.0.0.2/',
      'http://a.localhost/',
      'http://[::1]/',
    ],
  },
  {
    cls: 'ssrf-dns',
    expect: 'deny',
    allow: ['WebFetch', 'WebFetch(domain:inner.test)'],
    resolves: { 'inner.test': ['93.184.216.34', '192.168.0.7'] },
    urls: [
      'https://inner.test/',
      'https://INNER.test/',
      'https://inner.test./',
      'https://inner.test:8443/x',
      'http://%69nner.test/',
    ],
  },
  {
    cls: 'domain-match',
    expect: 'allow',
    allow: ['WebFetch(domain:docs.test)'],
    urls: [
      'https://docs.test/',
      'https://DOCS.TEST/a',
      'https://docs.test./',
      'http://docs.test:81/#x',
      'https://docs.test/?u=@evil.test',
    ],
  },
  {
    cls: 'domain-nomatch',
    expect: 'ask',
    allow: ['WebFetch(domain:docs.test)'],
    urls: [
      'https://a.docs.test/',
      'https://docs.test.evil.test/',
      'https://evildocs.test/',
      'https://evil.test/docs.test',
      'https://evil.test/#docs.test',
      'https://evil.test\\docs.test/',
      'https://docs-test/',
    ],
  },
  {
    cls: 'domain-wild',
    expect: 'ask',
    allow: ['WebFetch(domain:*.docs.test)'],
    urls: [
      'https://docs.test/',
      'https://evildocs.test/',
      'https://a.docs.test.evil.test/',
      'https://evil.test/a.docs.test',
      'https://adocs.test/',
    ],
  },
  {
    cls: 'domain-wild',
    expect: 'deny',
    allow,
    deny: ['WebFetch(domain:*.docs.test)'],
    mode: 'bypassPermissions',
    urls: [
      'https://a.docs.test/',
      'https://A.DOCS.test/',
      'https://a.docs.test./',
      'https://a.docs.test:8443/',
      'https://a.%64ocs.test/',
    ],
  },
  {
    cls: 'url-invalid',
    expect: 'deny',
    mode: 'bypassPermissions',
    urls: [
      'docs.test',
      '//docs.test/',
      'ftp://docs.test/',
      'javascript:alert(1)',
      'data:text/plain,x',
      'https://',
      'https://u@docs.test/',
      'https://:p@docs.test/',
      'http://a b/',
    ],
  },
];

describe.each([...new Set(EXAMPLES.map(({ cls }) => cls))])('%s', (name) => {
  const cases = EXAMPLES.filter(({ cls }) => cls === name);
  it.each(cases)('$expect in the mode $mode with $allow $deny', ({ urls, cls: id, ...rest }) => {
    const judge = (url: string): PermissionBehavior => {
      const read = readEvalCase(JSON.stringify({ ...rest, id, url }));
      if (!read.ok) throw new Error(read.message);
      return judgeCase(read.value, undefined).behavior;
    };
    expect(urls.filter((url) => judge(url) !== rest.expect)).toEqual([]);
    expect(urls.length).toBeGreaterThanOrEqual(5);
  });
});
