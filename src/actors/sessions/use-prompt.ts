import type { SessionMcp } from '../agents/session/session-options.js';
import type { SessionId } from '../../core/ids.js';
import { UnknownRecipientError, UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { textBlock } from '../../core/messages.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { splitArguments } from '../../tools/skills/fill-arguments.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import type { PromptOptions } from '../contract/handles.js';
import type { MailSender } from '../mail/mailroom.js';
import type { createPromptWriter } from './main-agent.js';

/** The parts of a session that a prompt of a server needs. */
export type PromptOwners = {
  readonly options: { readonly id: SessionId; readonly mcp: SessionMcp | undefined };
  readonly agents: LiveAgents;
  readonly mail: Pick<MailSender, 'deliver'>;
};

/**
 * Use a prompt of an MCP server as a person who types `/mcp__server__prompt args`: the main agent gets the line and the
 * text of the server as one prompt.
 *
 * @throws UsageError if there is no such prompt, or an argument is missing
 * @throws McpToolError if the server answers with an error
 * @throws UnknownRecipientError if the session has ended
 */
export async function usePrompt(
  { options: { id, mcp }, agents, mail }: PromptOwners,
  { parts }: Pick<AgentRuntime, 'parts'>,
  toEnvelope: ReturnType<typeof createPromptWriter>,
  { name, args, uuid }: PromptOptions & { readonly name: string; readonly args: string },
): Promise<void> {
  await mcp?.pool; // the servers have connected, or failed
  const prompts = mcp?.offerings.prompts() ?? [];
  const prompt = prompts.find((one) => one.name === name);
  if (mcp === undefined || prompt === undefined)
    throw new UsageError(
      describeUnknown(
        name,
        prompts.map((one) => one.name),
      ),
    );
  const blocks = await mcp.offerings.fillPrompt(prompt, splitArguments(args), parts.abort.signal);
  if (!agents.live.has(parts.id))
    throw new UnknownRecipientError(id, `the session ${id} has ended`);
  const envelope = toEnvelope([textBlock(`/${name} ${args}`.trimEnd()), ...blocks]);
  await mail.deliver(parts, { ...envelope, ...given({ uuid }) });
}

const MOST_NAMES = 10;

function describeUnknown(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `There is no command /${name}. Did you mean /${nearest}?`;
  const list = names.slice(0, MOST_NAMES).map((one) => `/${one}`);
  return `There is no command /${name}: ${names.length === 0 ? 'no connected MCP server offers prompts' : `the prompts of servers are ${list.join(', ')}`}.`;
}
