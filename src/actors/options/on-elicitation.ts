import type {
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnElicitationOptions,
} from '../../core/agents/elicitation.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionRequest } from '../../core/events.js';

/** Pass a question of a server to the callback of a program. */
export function toElicitationHandler(onElicitation: OnElicitation) {
  return async (
    { input }: PermissionRequest,
    options: OnElicitationOptions,
  ): Promise<PermissionAnswer> =>
    toElicitationAnswer(await onElicitation(structuredClone(input) as ElicitationRequest, options)); // the input of an elicitation
}

/** The decision that carries an answer to a question of a server. */
export function toElicitationAnswer({ action, content = {} }: ElicitationResult): PermissionAnswer {
  if (action === 'accept') return { behavior: 'allow', updatedInput: { action, content } };
  return action === 'cancel' ? { behavior: 'deny', interrupt: true } : { behavior: 'deny' };
}
