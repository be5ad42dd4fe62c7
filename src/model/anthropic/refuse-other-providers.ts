import { TroupeError } from '../../core/errors.js';
import type { Environment } from '../../files/folders.js';

/** Variables by which Claude Code uses another endpoint than the Messages API. */
const PROVIDERS = {
  CLAUDE_CODE_USE_BEDROCK: 'Amazon Bedrock',
  CLAUDE_CODE_USE_VERTEX: 'Google Vertex AI',
  CLAUDE_CODE_USE_FOUNDRY: 'Microsoft Foundry',
  CLAUDE_CODE_USE_MANTLE: 'Amazon Bedrock Mantle',
  CLAUDE_CODE_USE_ANTHROPIC_AWS: 'Claude Platform on AWS',
} as const;

/** The environment asks for a provider that Troupe does not support. */
export class ModelProviderUnsupportedError extends TroupeError {
  override readonly name = 'ModelProviderUnsupportedError';
  readonly code = 'MODEL_PROVIDER_UNSUPPORTED';

  readonly variable: string;

  constructor(variable: string, provider: string) {
    super(
      `${variable} asks for ${provider}, which Troupe does not support: it only speaks the Messages API. ` +
        `Unset ${variable}, or unset it and set ANTHROPIC_BASE_URL to a gateway that speaks the Messages API.`,
      { recoverable: true, details: { variable, provider } },
    );
    this.variable = variable;
  }
}

/**
 * Throw if a variable asks for another provider, so that no prompt goes to a wrong address.
 *
 * @throws ModelProviderUnsupportedError if a variable is set to anything but an empty text, 0, false, no or off
 */
export function refuseOtherProviders(env: Environment): void {
  for (const [variable, provider] of Object.entries(PROVIDERS))
    if (isSwitchedOn(env[variable])) throw new ModelProviderUnsupportedError(variable, provider);
}

function isSwitchedOn(value = ''): boolean {
  return !['', '0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}
