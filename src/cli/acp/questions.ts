import type {
  ClientCapabilities,
  CreateElicitationRequest,
  ElicitationSchema,
  PermissionOption,
} from '@agentclientprotocol/sdk';
import { CreateElicitationResponse, methods } from '@agentclientprotocol/sdk';
import { given } from '../../api/given.js';
import { AskUserQuestionInput } from '../../api/sessions/prompts.js';
import { oneLine, unmistakable } from '../../api/text.js';
import type { AskHandler, OnElicitation, PermissionAnswer } from '../../api/types.js';
import { whoAsks } from '../approval/who-asks.js';
import type { Asking } from './permission-requests.js';

type Question = AskUserQuestionInput['questions'][number];
type Place = Pick<Asking, 'client' | 'sessionId' | 'calls' | 'send'>;

/**
 * Put the questions of an agent to a client: as one form if the client shows forms, otherwise one after another as a
 * choice of one answer.
 */
export function createQuestionHandler(
  place: Place,
  { elicitation }: ClientCapabilities,
): AskHandler {
  return async ({ input, agent, toolUseId: id, toolName: name }, { signal }) => {
    const asked = AskUserQuestionInput.safeParse(input).data;
    if (asked === undefined) return undefined; // a tool of a program asks in its own way
    const who = whoAsks(agent);
    const call = { id, name, input };
    await place.send(place.calls.show(call));
    try {
      return elicitation?.form
        ? await askInForm(place, { asked, who, toolCallId: id }, signal)
        : await askOneByOne(place, { asked, who, call }, signal);
    } catch (error) {
      if (signal.aborted) return undefined; // withdrawn
      throw error;
    }
  };
}

async function askInForm(
  { client, sessionId }: Place,
  { asked, who, toolCallId }: { asked: AskUserQuestionInput; who: string; toolCallId: string },
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const names = asked.questions.map((_, index) => `question${index + 1}`);
  const properties = Object.fromEntries(
    asked.questions.map((question, index) => [names[index], toField(question)]),
  ) as NonNullable<ElicitationSchema['properties']>; // each question has its field
  const request: CreateElicitationRequest = {
    mode: 'form',
    sessionId,
    toolCallId,
    message: `${who} asks`,
    requestedSchema: { type: 'object', properties, required: [] },
  };
  const answer = await client.request(methods.client.elicitation.create, request, {
    cancellationSignal: signal,
    stopWaitingOnCancel: true,
  });
  if (!CreateElicitationResponse.isAccept(answer)) return { behavior: 'deny' };
  const values = asked.questions.flatMap(({ question }, index) => {
    const value = answer.content?.[names[index] ?? ''];
    if (value === undefined) return [];
    return [[question, Array.isArray(value) ? value : String(value)] as const];
  });
  return allow(asked, values);
}

function toField({ header, question, options, multiSelect }: Question) {
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: description === '' ? label : `${label}: ${description}`,
  }));
  const head = { title: header, description: question };
  return multiSelect
    ? { type: 'array' as const, ...head, items: { anyOf: choices } }
    : { type: 'string' as const, ...head, oneOf: choices };
}

async function askOneByOne(
  { client, sessionId, calls }: Place,
  {
    asked,
    who,
    call,
  }: {
    asked: AskUserQuestionInput;
    who: string;
    call: { id: string; name: string; input: object };
  },
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const values: (readonly [string, string])[] = [];
  for (const { question, options } of asked.questions) {
    const title = oneLine(unmistakable(`${who} asks: ${question}`), 500);
    const { outcome } = await client.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        toolCall: { ...calls.describe(call), title },
        options: [
          ...options.map(toOption),
          { optionId: 'none', name: 'No answer', kind: 'reject_once' },
        ],
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome === 'cancelled') return { behavior: 'deny', interrupt: true };
    const chosen = options.find((_, index) => outcome.optionId === `answer-${index + 1}`);
    if (chosen === undefined) return { behavior: 'deny' };
    values.push([question, chosen.label]);
  }
  return allow(asked, values);
}

function toOption(
  { label, description }: Question['options'][number],
  index: number,
): PermissionOption {
  const name = description === '' ? label : `${label}: ${description}`;
  return { optionId: `answer-${index + 1}`, name, kind: 'allow_once' };
}

function allow(
  asked: AskUserQuestionInput,
  values: readonly (readonly [string, string | string[]])[],
): PermissionAnswer {
  return { behavior: 'allow', updatedInput: { ...asked, answers: Object.fromEntries(values) } };
}

/** Put the questions of MCP servers to a client that offers forms or pages; undefined for another client. */
export function toClientElicitation(
  { elicitation }: ClientCapabilities,
  place: () => Pick<Asking, 'client' | 'sessionId'>,
): OnElicitation | undefined {
  if (!elicitation?.form && !elicitation?.url) return undefined;
  return async ({ serverName, message, mode, url, elicitationId, requestedSchema }, { signal }) => {
    const { client, sessionId } = place();
    const head = { sessionId, message: `The MCP server ${serverName} asks: ${message}` };
    const isPage = mode === 'url';
    if (!(isPage ? elicitation.url : elicitation.form)) return { action: 'decline' };
    const request = (
      isPage
        ? { ...head, mode, url, elicitationId }
        : { ...head, mode, requestedSchema: requestedSchema ?? {} }
    ) as CreateElicitationRequest; // the schema of a form is the server's own, which the session has checked
    const answer = await client.request(methods.client.elicitation.create, request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
    if (CreateElicitationResponse.isAccept(answer))
      return { action: 'accept', ...given({ content: answer.content ?? undefined }) };
    return { action: answer.action === 'decline' ? 'decline' : 'cancel' };
  };
}
