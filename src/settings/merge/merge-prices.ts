import type { ModelPrices } from '../../usage/prices.js';
import type { Settings } from '../schema/settings-schema.js';

/** The prices of all layers, model by model. @param settings lowest first */
export function mergePrices(settings: readonly Settings[]): ModelPrices {
  return Object.fromEntries(
    settings.flatMap(({ modelPrices = {} }) => Object.entries(modelPrices)),
  );
}
