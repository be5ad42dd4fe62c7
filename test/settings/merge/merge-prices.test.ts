import { describe, expect, it } from 'vitest';
import { explainSettings } from '../../../src/settings/explain/explain-settings.js';
import { mergePrices } from '../../../src/settings/merge/merge-prices.js';
import { restrictSettings } from '../../../src/settings/files/restrict-settings.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

const cheap = { input: 1, output: 2, cacheRead: 0 };
const dear = { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 };

describe('modelPrices', () => {
  it('are merged model by model, the highest layer first', () => {
    const layers = [{ modelPrices: { a: cheap, b: cheap } }, {}, { modelPrices: { b: dear } }];
    expect(mergePrices(layers)).toEqual({ a: cheap, b: dear });
  });

  it('of a folder that is not trusted wait: they could hide what a run costs', () => {
    const settings = { modelPrices: { a: { input: 0, output: 0, cacheRead: 0 } } };
    expect(restrictSettings(settings, 'default')).toMatchObject({ waiting: [['modelPrices']] });
  });

  it('are explained one by one', () => {
    const user = {
      source: 'userSettings',
      settings: { modelPrices: { a: cheap, b: cheap } },
    } as const;
    const flag = { source: 'flagSettings', settings: { modelPrices: { b: dear } } } as const;
    const { values } = explainSettings({ layers: [user, flag], found: [user, flag], waiting: [] });
    expect(values.map(({ key, value, source }) => [key, value, source])).toEqual([
      ['modelPrices.a', cheap, 'userSettings'],
      ['modelPrices.b', dear, 'flagSettings'],
    ]);
  });

  it.each([{ input: -1 }, { output: '2' }, { cacheRead: undefined }, { cachWrite: 1 }])(
    'cannot have %j',
    (change) => {
      const parsed = Settings.safeParse({ modelPrices: { a: { ...cheap, ...change } } });
      expect(parsed.success).toBe(false);
    },
  );
});
