import type { Envelope } from '../../../core/events.js';
import { messageOf } from '../../../core/errors.js';
import { frame } from '../../../core/text/frame.js';
import { onAbort } from '../../../core/on-abort.js';
import { firstChars } from '../../../core/text/first-chars.js';
import { ReadMcpResourceTool } from '../../../tools/mcp/read-mcp-resource.js';
import { judgeByServer } from '../../../tools/mcp/server-rules.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import type { Mailbox } from '../../mail/mailbox.js';
import type { TurnHooks } from './turn-hooks.js';

const MOST_MENTIONS = 10;
const MAX_CHARS = 100_000;
const READ_TIMEOUT_MS = 30_000;

type Mention = { readonly server: string; readonly uri: string };

/**
 * Read the resources that a prompt names as `@server:uri`, and put them behind the prompt. Only the prompts of a person
 * to the main agent have them.
 *
 * @param amend the change of the hooks
 */
export async function withMentions(
  parts: {
    readonly toolContext: ToolUseContext;
    readonly depth: number;
    readonly inbox: Pick<Mailbox, 'list'>;
    readonly abort: AbortController;
  },
  amend: Awaited<ReturnType<TurnHooks['admit']>>,
): Promise<typeof amend> {
  const { mcp } = parts.toolContext.session;
  if (mcp === undefined || parts.depth > 0) return amend;
  const found = new Map<string, readonly string[]>();
  for (const envelope of parts.inbox.list()) {
    const mentions = mentionsOf(envelope, mcp.servers);
    if (mentions.length > 0)
      found.set(envelope.id, await Promise.all(mentions.map((one) => read(parts, one))));
  }
  if (found.size === 0) return amend;
  return (envelope) => {
    const amended = amend?.(envelope) ?? envelope;
    const texts = found.get(envelope.id) ?? [];
    return texts.length === 0
      ? amended
      : { ...amended, after: [...(amended.after ?? []), ...texts] };
  };
}

/** The resources that a text names. A text without an `@` costs nothing more. */
export function mentionsOf(
  { kind, from, content }: Pick<Envelope, 'kind' | 'from' | 'content'>,
  servers: readonly string[],
): readonly Mention[] {
  if (kind !== 'prompt' || from !== 'user') return [];
  const texts = content.flatMap(({ text }) =>
    typeof text === 'string' && text.includes('@') ? [text] : [],
  );
  const found = texts.flatMap((text) =>
    [...text.matchAll(MENTION)].flatMap(({ groups: { name = '', uri = '' } = {} }) =>
      servers.includes(name) ? [{ server: name, uri: uri.replace(/[.,;:!?)'"]+$/, '') }] : [],
    ),
  );
  const distinct = new Map(found.map((one) => [`${one.server}:${one.uri}`, one]));
  return [...distinct.values()].slice(0, MOST_MENTIONS);
}

const MENTION = /(?<=^|[\s("'])@(?<name>[\w.-]+):(?<uri>\S+)/gu;

async function read(
  parts: Pick<Parameters<typeof withMentions>[0], 'toolContext' | 'abort'>,
  { server, uri }: Mention,
): Promise<string> {
  const { toolContext, abort } = parts;
  const controller = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  onAbort(signal, () => controller.abort(signal.reason));
  try {
    const ruled = judgeByServer(server, toolContext.permissions.current?.());
    if (ruled.behavior === 'deny') throw new Error(ruled.message);
    const call = { ...toolContext.call, abortController: controller };
    const { data } = await ReadMcpResourceTool.call(
      { server, uri },
      { ...toolContext, call },
      () => Promise.reject(new Error('A resource needs no further tool.')),
      undefined,
    );
    const { content } = ReadMcpResourceTool.mapToolResultToToolResultBlockParam(data, '');
    const text = String(content);
    const cut = text.length > MAX_CHARS ? `${firstChars(text, MAX_CHARS)}… [cut]` : text;
    return frame('mcp-resource', { server, uri }, cut);
  } catch (error) {
    return frame('mcp-resource', { server, uri, error: messageOf(error) }, '');
  }
}
