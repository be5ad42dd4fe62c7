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

  it('is no domain pattern without its prefix', () => {
    expect(domainPatternOf('example.com')).toBeUndefined();
  });
});
