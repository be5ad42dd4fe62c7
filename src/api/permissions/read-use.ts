import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import type { Tool } from '../../tools/tool.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { completeTool } from '../../tools/complete-tool.js';
import { findToolByName } from '../../tools/pool/find-tool.js';
import { parseInput } from '../../tools/calls/parse-input.js';

type Input = Readonly<Record<string, unknown>>;

/** One tool call that somebody asks about. */
export type Use = {
  readonly tool: Tool;
  /** Parsed by the tool's schema. */
  readonly input: Input;
  /** True: a real tool, not a substitute for a tool of a server or a program. */
  readonly isBuiltIn: boolean;
};

/** The input for the text of a short form; other fields get values that rules do not read. */
const SHORT_FORMS: Readonly<Record<string, (text: string) => Input>> = {
  Bash: (command) => ({ command }),
  Monitor: (command) => ({ command, description: 'what it watches' }),
  PowerShell: (command) => ({ command }),
  Tmux: (command) => ({ operation: 'send', session: 'main', command }),
  Read: (file_path) => ({ file_path }),
  Write: (file_path) => ({ file_path, content: '' }),
  Edit: (file_path) => ({ file_path, old_string: 'a', new_string: 'b' }),
  MultiEdit: (file_path) => ({ file_path, edits: [{ old_string: 'a', new_string: 'b' }] }),
  NotebookEdit: (notebook_path) => ({ notebook_path, cell_id: 'a', new_source: 'b' }),
  Grep: (path) => ({ path, pattern: 'a' }),
  Glob: (pattern) => ({ pattern }),
  Agent: (subagent_type) => ({ subagent_type, description: 'what it does', prompt: 'its task' }),
  SendMessage: (to) => ({ to, message: 'a message' }),
  WebFetch: (url) => ({ url, prompt: 'what to find' }),
};

const TAKES_PATH: ReadonlySet<string> = new Set([
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Grep',
  'Glob',
]);

/**
 * Read `Tool(input)`. The input is a command, a path, an address or a name as in a rule, or JSON.
 *
 * @param home meaning of `~` at the start of a path; in JSON `~` has no meaning, as in calls of tools
 * @throws UsageError for an unknown tool, or an invalid input
 */
export async function readUse(text: string, home: string): Promise<Use> {
  const written = text.trim();
  const open = written.indexOf('(');
  const name = open < 0 ? written : written.slice(0, open);
  if (open >= 0 && !written.endsWith(')'))
    throw new UsageError(`"${written}" has a "(" but does not end with ")". Write 'Tool(input)'.`);
  const tool = findTool(name);
  const parsed = await parseInput(
    tool,
    readInput(tool.name, open < 0 ? '' : written.slice(open + 1, -1), home),
  );
  if (parsed.ok)
    return {
      tool,
      input: parsed.input,
      isBuiltIn: getAllBaseTools().some((one) => one.name === tool.name),
    };
  throw new UsageError(`${parsed.message}. ${howToWrite(tool.name)}`);
}

function findTool(name: string): Tool {
  const known = getAllBaseTools();
  const found = findToolByName(known, name);
  if (found !== undefined) return found;
  if (/^mcp__.+__.+$/.test(name)) return standIn(name);
  if (/^mcp__.+/.test(name))
    throw new UsageError(`"${name}" names a whole server. Name one of its tools: ${name}__tool.`);
  if (/^[a-z]/.test(name) && (/\s/.test(name) || meantTool(name, known) === undefined))
    throw new UsageError(`"${name}" is not a tool. Did you mean 'Bash(${name})'?`);
  const nearest = meantTool(name, known);
  const hint =
    nearest === undefined
      ? `There are ${known.map((tool) => tool.name).join(', ')}.`
      : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no tool "${name}". ${hint}`);
}

function meantTool(name: string, known: readonly Tool[]): string | undefined {
  return nearestName(
    name,
    known.map((tool) => tool.name),
  );
}

/** A tool of which only the name is known: its server could not change a decision. */
function standIn(name: string): Tool {
  return completeTool({
    name,
    inputSchema: z.looseObject({}),
    inputJSONSchema: { type: 'object' },
    call: () => Promise.reject(new Error(`The tool ${name} is not available.`)),
  });
}

function readInput(name: string, text: string, home: string): unknown {
  if (text.trim() === '') return {};
  const short = Object.hasOwn(SHORT_FORMS, name) ? SHORT_FORMS[name] : undefined;
  if (short !== undefined && !/^\s*\{\s*(?:"|\})/.test(text))
    return short(TAKES_PATH.has(name) ? text.replace(/^~(?=\/|$)/, () => home) : text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = (error as Error).message; // `JSON.parse` throws a SyntaxError
    throw new UsageError(`The input of ${name} is not JSON: ${why}. ${howToWrite(name)}`);
  }
}

function howToWrite(name: string): string {
  const short = Object.hasOwn(SHORT_FORMS, name) ? SHORT_FORMS[name] : undefined;
  const [field = ''] = Object.keys(short?.('') ?? {});
  return short === undefined
    ? `Write its input as JSON: '${name}({"…": "…"})'.`
    : `Write '${name}(${field})', or its whole input as JSON.`;
}
