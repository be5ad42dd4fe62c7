import { TroupeError } from '../core/errors.js';

/** A budget in dollars, and a model without a price: without it the limit cannot be checked. */
export class PriceUnknownError extends TroupeError {
  override readonly name = 'PriceUnknownError';
  readonly code = 'PRICE_UNKNOWN';
  /** Model whose price is not known. */
  readonly model: string;

  constructor(model: string) {
    const example = JSON.stringify({ [model]: { input: 3, output: 15, cacheRead: 0.3 } });
    super(
      `There is a budget in dollars, and the price of the model "${model}" is not known. Give its price in USD per million tokens in the settings, "modelPrices": ${example}, or in the option prices; or leave the budget out.`,
      { details: { model } },
    );
    this.model = model;
  }
}
