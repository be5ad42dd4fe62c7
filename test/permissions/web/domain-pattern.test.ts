import { describe, expect, it } from 'vitest';
import { domainPatternOf, matchesDomain } from '../../../src/permissions/web/domain-pattern.js';

const covers = (content: string, host: string): boolean =>
  matchesDomain(domainPatternOf(content) ?? '', host);

describe('a domain pattern', () => {
  it('covers the host that it names, in any case, with or without a last dot', () => {
    expect(covers('domain:Example.COM.', 'example.com')).toBe(true);
    expect(covers('domain:bücher.de', 'xn--bcher-kva.de')).toBe(true);
    expect(covers('domain:example.com', 'www.example.com')).toBe(false);
    expect(covers('domain:example.com', 'example.co')).toBe(false);
  });

  it('covers every host below with a leading "*."', () => {
    expect(covers('domain:*.example.com', 'api.example.com')).toBe(true);
    expect(covers('domain:*.example.com', 'a.b.example.com')).toBe(true);
    expect(covers('domain:*.example.com', 'example.com')).toBe(false);
    expect(covers('domain:*.example.com', 'badexample.com')).toBe(false);
  });

  it('keeps any other "*" within its label', () => {
    expect(covers('domain:example.*', 'example.org')).toBe(true);
    expect(covers('domain:example.*', 'example.evil.com')).toBe(false);
    expect(covers('domain:api-*.example.com', 'api-2.example.com')).toBe(true);
    expect(covers('domain:*.api-*.example.com', 'a.b.api-2.example.com')).toBe(true);
    expect(covers('domain:*', 'any.where.test')).toBe(true);
  });

  it('covers names of any script below a "*"', () => {
    expect(covers('domain:*.bücher.de', 'a.xn--bcher-kva.de')).toBe(true);
    expect(covers('domain:*。Bücher。de', 'a.xn--bcher-kva.de')).toBe(true);
  });

  it.each(['/docs', '?a', '#a', '\\a', ':443', '@evil.test'])(
    'covers nothing if more than a host is written: example.com%s',
    (more) => {
      expect(covers(`domain:example.com${more}`, 'example.com')).toBe(false);
      expect(covers(`domain:a@example.com${more}`, 'example.com')).toBe(false);
    },
  );

  it('is no domain pattern without its prefix', () => {
    expect(domainPatternOf('example.com')).toBeUndefined();
  });
});
