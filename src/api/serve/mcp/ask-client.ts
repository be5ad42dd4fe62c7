import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type {
  ElicitRequestFormParams,
  PrimitiveSchemaDefinition,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../core/errors.js';
import type { PermissionAnswer } from '../../../core/decision-types.js';
import type { PermissionRequest } from '../../../core/events.js';
import { oneLine, printable } from '../../../core/text/printable.js';
import { LONGEST_TIMER_MS } from '../../../core/time/duration.js';
import { questionsOf, toAnswer } from '../to-answer.js';

/** Whether the client shows forms to a person. */
export function canElicit(server: Server): boolean {
  const { elicitation } = server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

/**
 * Put a request to the person at the client, in a form. A form that is declined, dismissed or not filled in denies, and so
 * does a client that fails.
 *
 * @param signal withdraws the form
 * @param relatedRequestId the call whose stream the form takes
 * @returns undefined if the form was withdrawn
 */
export async function askClient(
  server: Server,
  request: PermissionRequest,
  {
    signal,
    relatedRequestId,
    by,
  }: {
    readonly signal: AbortSignal;
    readonly relatedRequestId: RequestId | undefined;
    readonly by: string;
  },
): Promise<PermissionAnswer | undefined> {
  const isQuestion = request.kind === 'question';
  try {
    const { action, content = {} } = await server.elicitInput(
      isQuestion ? questionForm(request) : permissionForm(request),
      {
        signal,
        timeout: LONGEST_TIMER_MS,
        ...(relatedRequestId === undefined ? {} : { relatedRequestId }),
      },
    );
    if (action !== 'accept')
      return { behavior: 'deny', message: `The person at the ${by} did not decide: ${action}.` };
    if (isQuestion)
      return toAnswer({ decision: 'allow', answers: readAnswers(request, content) }, request, by);
    const message = typeof content['message'] === 'string' ? content['message'].trim() : '';
    const decision = content['decision'] === 'allow' ? 'allow' : 'deny';
    return toAnswer({ decision, ...(message === '' ? {} : { message }) }, request, by);
  } catch (error) {
    if (signal.aborted) return undefined;
    return { behavior: 'deny', message: `The ${by} could not decide: ${messageOf(error)}` };
  }
}

/** A form with the whole input. */
function permissionForm(request: PermissionRequest): ElicitRequestFormParams {
  const { kind, agent, toolName, input, message, isDestructive } = request;
  const who = agent.name ?? agent.type;
  const head =
    kind === 'plan' ? `The agent ${who} has a plan:` : `The agent ${who} asks to use ${toolName}:`;
  return {
    message: [
      head,
      printable(JSON.stringify(input, undefined, 2)),
      `Why it asks: ${oneLine(message, 1_000)}`,
      ...(isDestructive === true ? ['Its effect cannot be undone.'] : []),
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          oneOf: [
            { const: 'allow', title: 'Allow, this time' },
            { const: 'deny', title: 'Deny' },
          ],
        },
        message: { type: 'string', title: 'Words for the agent' },
      },
      required: ['decision'],
    },
  };
}

/** A form with a choice for each question, and a text for other words. */
function questionForm(request: PermissionRequest): ElicitRequestFormParams {
  const fields = questionsOf(request).flatMap(
    ({ question, header, options, multiSelect }, index) => {
      const choices = options.map(({ label, description }) => ({
        const: label,
        title: `${label}: ${description}`,
      }));
      const choice: PrimitiveSchemaDefinition = multiSelect
        ? { type: 'array', title: header, description: question, items: { anyOf: choices } }
        : { type: 'string', title: header, description: question, oneOf: choices };
      const other = { type: 'string', title: `${header}: in other words` } as const;
      return [
        [`choice${index}`, choice],
        [`other${index}`, other],
      ] as const;
    },
  );
  const { agent } = request;
  return {
    message: `The agent ${agent.name ?? agent.type} asks:`,
    requestedSchema: { type: 'object', properties: Object.fromEntries(fields) },
  };
}

function readAnswers(
  request: PermissionRequest,
  content: Readonly<Record<string, unknown>>,
): Record<string, string | string[]> {
  const answers = questionsOf(request).flatMap(({ question }, index) => {
    const other = content[`other${index}`];
    const choice = content[`choice${index}`];
    const chosen = typeof other === 'string' && other.trim() !== '' ? other : choice;
    return chosen === undefined ? [] : [[question, chosen as string | string[]] as const]; // the SDK has checked it
  });
  return Object.fromEntries(answers);
}
