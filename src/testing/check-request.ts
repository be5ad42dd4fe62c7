import { isRecord } from '../core/json/is-record.js';

type Json = { readonly [key: string]: unknown };

/**
 * The 400 error of the Messages API for a request, in its own words if they are known; undefined for a valid request.
 * The checks cover common mistakes in conversations, not every field.
 */
export function findRequestProblem(body: unknown): string | undefined {
  if (!isRecord(body)) return 'the body is not a JSON object';
  return (
    findFieldProblem(body) ??
    findSystemProblem(body['system']) ??
    findToolsProblem(body['tools']) ??
    findMessagesProblem(body['messages']) ??
    findReferenceProblem(body['tools'], body['messages']) ??
    findMarksProblem(body)
  );
}

const FIELDS: ReadonlySet<string> = new Set(
  [
    'model max_tokens messages stream system tools tool_choice thinking output_config cache_control speed',
    'metadata service_tier stop_sequences diagnostics container inference_geo',
  ].flatMap((line) => line.split(' ')),
);

function findFieldProblem(body: Json): string | undefined {
  for (const key of ['temperature', 'top_p', 'top_k']) {
    if (key in body) return `${key}: no longer supported`;
  }
  for (const key of Object.keys(body)) {
    if (!FIELDS.has(key)) return `${key}: Extra inputs are not permitted`;
  }
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'model: Field required';
  const maxTokens = body['max_tokens'];
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    return 'max_tokens: must be a positive integer';
  }
  return undefined;
}

function findSystemProblem(system: unknown): string | undefined {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return 'system: must be a string or a list of text blocks';
  return firstProblem(system, (block, index) =>
    isRecord(block) && block['type'] === 'text' && isText(block['text'])
      ? undefined
      : `system.${index}: text content blocks must be non-empty`,
  );
}

function findToolsProblem(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return 'tools: must be a list';
  const names = new Set<unknown>();
  return firstProblem(tools, (tool, index) => {
    if (!isRecord(tool) || typeof tool['name'] !== 'string')
      return `tools.${index}.name: Field required`;
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool['name'])) {
      return `tools.${index}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (names.has(tool['name'])) return `tools: Tool names must be unique (${tool['name']})`;
    names.add(tool['name']);
    if ('description' in tool && typeof tool['description'] !== 'string')
      return `tools.${index}.description: Input should be a valid string`;
    const schema = tool['input_schema'];
    const isServerTool = 'type' in tool && tool['type'] !== 'custom';
    if (!isServerTool && !(isRecord(schema) && schema['type'] === 'object')) {
      return `tools.${index}.input_schema.type: must be "object"`;
    }
    return undefined;
  });
}

function findMessagesProblem(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return 'messages: at least one message is required';
  }
  const shape = firstProblem(messages, (message, index) => findMessageProblem(message, index));
  if (shape !== undefined) return shape;
  const turns = mergeTurns(messages as readonly Json[]); // the shape was checked above
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  return findPairingProblem(turns);
}

/** Called for tools and messages that are right. */
function findReferenceProblem(tools: unknown, messages: unknown): string | undefined {
  const known = new Set((Array.isArray(tools) ? (tools as Json[]) : []).map(({ name }) => name));
  const parts = (messages as Json[])
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []));
  const lost = parts.find(
    ({ type, tool_name }) => type === 'tool_reference' && !known.has(tool_name),
  );
  return lost && `Tool reference '${String(lost['tool_name'])}' not found in available tools`;
}

function findMessageProblem(message: unknown, index: number): string | undefined {
  const at = `messages.${index}`;
  if (!isRecord(message)) return `${at}: must be an object`;
  if (message['role'] !== 'user' && message['role'] !== 'assistant')
    return `${at}.role: unknown role`;
  const extra = Object.keys(message).find((key) => key !== 'role' && key !== 'content');
  if (extra !== undefined) return `${at}.${extra}: Extra inputs are not permitted`;
  const { content } = message;
  if (typeof content === 'string') {
    return content === '' ? `${at}: all messages must have non-empty content` : undefined;
  }
  if (!Array.isArray(content) || content.length === 0) {
    return `${at}: all messages must have non-empty content`;
  }
  return firstProblem(content, (block, position) => {
    const problem = findBlockProblem(block, message['role'] === 'user');
    return problem === undefined ? undefined : `${at}.content.${position}: ${problem}`;
  });
}

function findBlockProblem(block: unknown, isUser: boolean): string | undefined {
  if (!isRecord(block) || typeof block['type'] !== 'string') return 'type: Field required';
  const wrongRole = `${block['type']} blocks are not allowed in ${isUser ? 'user' : 'assistant'} messages`;
  switch (block['type']) {
    case 'text':
      return isText(block['text'])
        ? undefined
        : 'text content blocks must contain non-whitespace text';
    case 'tool_use':
      if (isUser) return wrongRole;
      if (typeof block['id'] !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block['id'])) {
        return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
      }
      return isRecord(block['input'])
        ? undefined
        : 'tool_use.input: Input should be a valid dictionary';
    case 'tool_result':
      if (!isUser) return wrongRole;
      return typeof block['tool_use_id'] === 'string' ? undefined : 'tool_use_id: Field required';
    case 'thinking':
      if (isUser) return wrongRole;
      if (typeof block['signature'] !== 'string') return 'thinking.signature: Field required';
      return 'cache_control' in block
        ? 'thinking.cache_control: Extra inputs are not permitted'
        : undefined;
    case 'opaque':
      return "Input tag 'opaque' does not match any of the expected tags";
    default:
      return undefined;
  }
}

type Turn = { readonly role: unknown; readonly blocks: readonly Json[]; readonly index: number };

/** Merge neighbouring messages of one role: the API treats them as one. */
function mergeTurns(messages: readonly Json[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = Array.isArray(content) ? (content as readonly Json[]) : []; // checked above
    const last = turns.at(-1);
    if (last !== undefined && last.role === role) {
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    } else turns.push({ role, blocks, index });
  }
  return turns;
}

function findPairingProblem(turns: readonly Turn[]): string | undefined {
  const everyId = new Set<unknown>();
  return firstProblem(turns, ({ role, blocks, index }, position) => {
    if (role === 'assistant') {
      for (const id of idsOf(blocks, 'tool_use', 'id')) {
        if (everyId.has(id))
          return `messages.${index}: \`tool_use\` ids must be unique (${String(id)})`;
        everyId.add(id);
      }
      const asked = idsOf(blocks, 'tool_use', 'id');
      const answered = new Set(
        idsOf(turns[position + 1]?.blocks ?? [], 'tool_result', 'tool_use_id'),
      );
      const missing = asked.filter((id) => !answered.has(id));
      return missing.length === 0
        ? undefined
        : `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`;
    }
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const asked = new Set(idsOf(turns[position - 1]?.blocks ?? [], 'tool_use', 'id'));
    const unasked = results.find((id) => !asked.has(id));
    if (unasked !== undefined) {
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(unasked)}`;
    }
    if (new Set(results).size < results.length) {
      return `messages.${index}: each \`tool_use\` must have a single result`;
    }
    const isFirst = blocks
      .slice(0, results.length)
      .every((block) => block['type'] === 'tool_result');
    return isFirst
      ? undefined
      : `messages.${index}: \`tool_result\` blocks must come before other content`;
  });
}

function idsOf(blocks: readonly Json[], type: string, key: string): readonly unknown[] {
  return blocks.filter((block) => block['type'] === type).map((block) => block[key]);
}

function findMarksProblem(body: Json): string | undefined {
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  return marks > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
    : undefined;
}

function firstProblem<T>(
  items: readonly T[],
  find: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = find(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && /\S/.test(value);
}
