import { messageOf } from '../../api/errors.js';
import { given } from '../../api/given.js';
import type { KeyHelper } from '../../api/options/key-helper.js';
import {
  ModelAuthMissingError,
  PRICES_AS_OF,
  createAnthropicModel,
  describeUnusedProxy,
} from '../../api/models/models.js';
import { INSTEAD_OF_A_KEY } from '../run/choose-model.js';
import { found, type Check } from './check.js';

const OLD_PRICES_DAYS = 180;
const DAY_MS = 86_400_000;

type Env = Readonly<Record<string, string | undefined>>;

/** Check the key and the endpoint of real models. Nothing is sent, and no key is shown. */
export function checkModel(env: Env, keyHelper: KeyHelper, now: number): readonly Check[] {
  return [checkKey(env, keyHelper), ...checkProxy(env), checkPrices(now)];
}

function checkKey(env: Env, { print, waitsIn }: KeyHelper): Check {
  try {
    createAnthropicModel({ env, ...given({ apiKeyHelper: print }) });
  } catch (error) {
    const isKeyMissing = error instanceof ModelAuthMissingError;
    const told = isKeyMissing ? new ModelAuthMissingError(env, INSTEAD_OF_A_KEY, waitsIn) : error;
    return found('model', 'warn', messageOf(told), 'The demo and scripted models work without it.');
  }
  const name = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'].find((one) => env[one]);
  const { origin, pathname } = new URL(addressIn(env));
  const endpoint = `${origin}${pathname.replace(/\/$/, '')}`;
  const unused = print === undefined ? '' : ', so the setting apiKeyHelper does not run';
  const key =
    name === undefined ? 'The setting apiKeyHelper prints the key' : `${name} is set${unused}`;
  return found('model', 'ok', `${key}; requests go to ${endpoint} (not tried).`);
}

/** Warn if requests do not use the proxy that is set. The check of the key reports an invalid address. */
function checkProxy(env: Env): readonly Check[] {
  const address = addressIn(env);
  const unused = URL.canParse(address) ? describeUnusedProxy(env, new URL(address)) : undefined;
  return unused === undefined ? [] : [found('proxy', 'warn', unused)];
}

function addressIn(env: Env): string {
  return env['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com';
}

function checkPrices(now: number): Check {
  const days = Math.floor((now - Date.parse(PRICES_AS_OF)) / DAY_MS);
  if (days <= OLD_PRICES_DAYS)
    return found('prices', 'ok', `The price table is of ${PRICES_AS_OF}.`);
  return found(
    'prices',
    'warn',
    `The price table is of ${PRICES_AS_OF}, ${days} days ago: shown costs may be wrong.`,
    'Install a newer Troupe, or set "prices" in settings.',
  );
}
