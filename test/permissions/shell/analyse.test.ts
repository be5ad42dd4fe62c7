import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/permissions/shell/analyse.js';
import { place } from '../corpus.js';

describe('analyse', () => {
  it('survives whatever it is given', () => {
    const monsters = [
      '"$('.repeat(20_000),
      '('.repeat(50_000),
      '`'.repeat(9_999),
      '${'.repeat(5_000),
      '<<'.repeat(5_000),
    ];
    for (const monster of monsters) {
      expect(analyse(monster, place).problem).toBeDefined();
    }
  });
});
