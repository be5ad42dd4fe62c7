import type { ToolUseContext } from '../../../tools/tool.js';
import type { Call } from '../calls/call.js';
import type { HookedAgent } from '../parts/hook-subject.js';
import { hookedUse } from './hooked-use.js';
import type { WhyDenied } from './denial-of.js';
import type { PermissionServices } from './permission-services.js';

/** Run the hooks for a denied call. @returns what the model reads behind the denial; undefined for nothing */
export type HearDenial = (call: Call, why: WhyDenied) => Promise<string | undefined> | undefined;

/** Hooks hear of the denials of the classifier, and may let the model try again. */
export function createHearDenial(
  caller: HookedAgent,
  services: PermissionServices,
  contextOf: (call: Call) => ToolUseContext,
): HearDenial {
  const { hooks } = services;
  return (call, { reason, message }) => {
    if (reason.type !== 'classifier' || hooks?.hasAny('PermissionDenied') !== true)
      return undefined;
    const use = hookedUse(caller, services, call, contextOf(call));
    const said = hooks.run('PermissionDenied', use, { reason: message }, call.controller.signal);
    return said.then((all) => {
      const allowing = all.find(({ output }) => output.hookSpecificOutput?.['retry'] === true);
      return allowing && `\n\nThe hook ${allowing.name} lets you try this call again.`;
    });
  };
}
