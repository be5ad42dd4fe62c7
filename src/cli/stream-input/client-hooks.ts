import { z } from 'zod';
import type { HookCallback, HookMatcher, HookOutput, Hooks } from '../../api/types.js';
import { checkHooks } from '../../api/extensions/hooks.js';
import type { ClientChannel } from './client-channel.js';

/** The hooks of `initialize`: groups by event, each with IDs of functions of the client. */
export const ClientHooks = z.record(
  z.string(),
  z
    .array(
      z.looseObject({
        matcher: z.string().nullish(),
        hookCallbackIds: z.array(z.string().min(1)),
        timeout: z.number().positive().nullish(),
        onFailure: z.enum(['continue', 'block']).nullish(),
      }),
    )
    .nullish(),
);

/**
 * Make hooks of the functions that a client has registered: a `hook_callback` request calls each. A call that fails, is too
 * late or finds no client denies, unless its group has `onFailure: "continue"`.
 *
 * @throws UsageError for an unknown event, and for an invalid matcher
 */
export function toClientHooks(
  given: z.infer<typeof ClientHooks>,
  channel: Pick<ClientChannel, 'request'>,
): Hooks {
  const toCallback = (callbackId: string): HookCallback => {
    const callback: HookCallback = async (input, toolUseId, { signal }) => {
      const request = {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input,
        ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
      };
      return (await channel.request(request, signal)) as HookOutput; // the caller of a hook parses it
    };
    return Object.defineProperty(callback, 'name', { value: `client ${callbackId}` });
  };
  const byEvent: Record<string, HookMatcher[]> = {};
  for (const [event, groups] of Object.entries(given))
    byEvent[event] = (groups ?? []).map(({ matcher, hookCallbackIds, timeout, onFailure }) => ({
      ...(matcher === undefined || matcher === null ? {} : { matcher }),
      ...(timeout === undefined || timeout === null ? {} : { timeout }),
      hooks: hookCallbackIds.map(toCallback),
      onFailure: onFailure ?? 'block',
      source: 'the client',
    }));
  return checkHooks(byEvent, 'initialize: hooks');
}
