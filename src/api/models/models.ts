/** Models of the Messages API, for front ends. */
export { createAnthropicModel } from '../../model/anthropic/anthropic-model.js';
export { ModelAuthMissingError } from '../../model/errors/model-auth-missing-error.js';
export { describeUnusedProxy } from '../../model/anthropic/unused-proxy.js';
export { openAnthropicModel } from '../../model/anthropic/open-anthropic-model.js';
export { PRICES_AS_OF } from '../../usage/prices.js';
