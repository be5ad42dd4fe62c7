import { isSameAgentType } from '../../core/agents/agent-type.js';
import { resultText, textOf, type Message } from '../../core/messages.js';
import type { ModelRequest } from '../model.js';
import { compileWhen, matchStep, newBlocks, type Matcher } from './match-step.js';
import type { Script, ScriptedReply, ScriptRole, ScriptStep } from './script.js';
import { ScriptExhaustedError } from './script-errors.js';
import { fillVariables, type ScriptVariables } from './script-variables.js';

/**
 * Plays a script. The first role whose conditions match an agent (its type, its name, its first message) plays it. Each
 * request takes the first step, from the top, that is not used up and whose `when` matches; a step without `when`
 * always matches. A step is used up after one request unless it has `repeat`. Named groups of its patterns have a value
 * from then on.
 * There is no hidden position: the used steps follow from the request alone, by taking a step for every assistant
 * message in it, in order. So a script continues in the same place after a restart, and every agent plays its role from
 * the start. An assistant message without a matching step (an inherited one, for example) uses no step.
 */
export type ScriptPlayer = (request: ModelRequest) => ScriptedReply;

/** @throws ScriptExhaustedError from the player if no role or step matches */
export function createScriptPlayer(script: Script, variables: ScriptVariables): ScriptPlayer {
  const roles = script.agents.map(compileRole);
  return (request) => {
    const role = roles.find((each) => fitsAgent(each, request));
    if (role === undefined) throw noRole(request, script.agents);
    const { messages } = request;
    const position = positionOf(role, messages, variables);
    const taken = takeStep(role, messages, messages.length, position);
    if (taken === undefined) throw noStep(request, role, position);
    return fillVariables(replyOf(taken.step), taken.position.variables);
  };
}

type Role = {
  readonly conditions: ScriptRole;
  readonly prompt: RegExp | undefined;
  readonly steps: readonly { readonly step: ScriptStep; readonly matcher: Matcher | undefined }[];
  /** Known positions by the last assistant message before them: a cache, not state. */
  readonly known: WeakMap<Message, Position>;
};

type Position = {
  /** Number of messages that it covers. */
  readonly length: number;
  readonly used: ReadonlySet<number>;
  readonly variables: ScriptVariables;
};

function compileRole(role: ScriptRole): Role {
  return {
    conditions: role,
    prompt: role.prompt === undefined ? undefined : new RegExp(role.prompt),
    steps: role.steps.map((step) => ({
      step,
      matcher: step.when === undefined ? undefined : compileWhen(step.when),
    })),
    known: new WeakMap(),
  };
}

function fitsAgent({ conditions, prompt }: Role, { origin, messages }: ModelRequest): boolean {
  if (conditions.agent !== undefined && !isSameAgentType(conditions.agent, origin.agentType))
    return false;
  if (conditions.name !== undefined && conditions.name !== origin.name) return false;
  if (prompt === undefined) return true;
  const [first] = messages;
  return first !== undefined && prompt.test(textOf(first));
}

function positionOf(
  role: Role,
  messages: readonly Message[],
  variables: ScriptVariables,
): Position {
  let position: Position = { length: 0, used: new Set(), variables };
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  for (let index = last; index >= 0; index -= 1) {
    const message = messages[index];
    const known = message?.role === 'assistant' ? role.known.get(message) : undefined;
    if (known?.length !== index + 1) continue;
    position = known;
    break;
  }
  for (let index = position.length; index <= last; index += 1) {
    const message = messages[index];
    if (message?.role !== 'assistant') continue;
    const next = takeStep(role, messages, index, position)?.position ?? position;
    position = { ...next, length: index + 1 };
    role.known.set(message, position);
  }
  return position;
}

/** Take the step for a request with the messages before `end`. */
function takeStep(
  role: Role,
  messages: readonly Message[],
  end: number,
  { used, variables }: Position,
): { readonly step: ScriptStep; readonly position: Position } | undefined {
  for (const [index, { step, matcher }] of role.steps.entries()) {
    if (used.has(index)) continue;
    const captured = matcher === undefined ? {} : matchStep(matcher, messages, end);
    if (captured === undefined) continue;
    return {
      step,
      position: {
        length: end,
        used: step.repeat === true ? used : new Set([...used, index]),
        variables: { ...variables, ...captured },
      },
    };
  }
  return undefined;
}

function replyOf({ when: _when, repeat: _repeat, ...reply }: ScriptStep): ScriptedReply {
  return reply;
}

function noRole(request: ModelRequest, roles: readonly ScriptRole[]): ScriptExhaustedError {
  const there = roles.map(({ agent, name, prompt }) => JSON.stringify({ agent, name, prompt }));
  return new ScriptExhaustedError(
    `The script has no entry for ${agentOf(request)}. Its entries are for: ${there.join(', ')}. ` +
      `The conversation begins with: ${quote(request.messages[0])}.`,
    { context: { ...request.origin } },
  );
}

function noStep(request: ModelRequest, role: Role, position: Position): ScriptExhaustedError {
  const left = role.steps.flatMap((_step, index) => (position.used.has(index) ? [] : [index + 1]));
  const why =
    left.length === 0
      ? `all of its ${role.steps.length} steps are used up`
      : `${left.length === 1 ? 'step' : 'steps'} ${left.join(', ')} of ${role.steps.length} ${left.length === 1 ? 'is left and does not match' : 'are left and none matches'}`;
  const came = newBlocks(request.messages, request.messages.length)
    .map((block) =>
      block.type === 'text' ? block.text : block.type === 'tool_result' ? resultText(block) : '',
    )
    .join('\n');
  return new ScriptExhaustedError(
    `The script has no answer to ${shorten(came)} for ${agentOf(request)}: ${why}.`,
    { context: { ...request.origin } },
  );
}

function agentOf({ origin }: ModelRequest): string {
  const name = origin.name === undefined ? '' : ` named "${origin.name}"`;
  return `agent "${origin.agentType}"${name} (${origin.agentId})`;
}

function quote(message: Message | undefined): string {
  return message === undefined ? 'nothing' : shorten(textOf(message));
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
