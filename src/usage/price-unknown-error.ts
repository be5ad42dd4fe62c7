import { TroupeError } from '../core/errors.js';

/** A cap on money, and a model of which nobody knows what it costs: without a price there is no telling when it is reached. */
export class PriceUnknownError extends TroupeError {
  override readonly name = 'PriceUnknownError';
  readonly code = 'PRICE_UNKNOWN';
  /** Model whose price is not known. */
  readonly model: string;

  constructor(model: string) {
    const example = JSON.stringify({ [model]: { input: 3, output: 15, cacheRead: 0.3 } });
    super(
      `There is a cap on money, and what the model "${model}" costs is not known. Give its price in USD per million tokens in the settings, "modelPrices": ${example}, or in the option prices; or leave the cap out.`,
      { details: { model } },
    );
    this.model = model;
  }
}
