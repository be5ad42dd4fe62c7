import { UsageError } from '../../../core/errors.js';
import { nearestName } from '../../../core/nearest-name.js';
import { getAllBaseTools } from '../../../tools/base-tools.js';
import { buildJsonSchemaTool } from '../../../tools/build-tool.js';
import { findToolByName } from '../../../tools/find-tool.js';
import { parseToolInput } from '../../../tools/parse-tool-input.js';
import type { Tool } from '../../../tools/tool.js';

type Input = Readonly<Record<string, unknown>>;

/** One use of a tool that somebody asks about. */
export type Use = {
  readonly tool: Tool;
  /** Parsed by the tool's schema. */
  readonly input: Input;
};

/** What stands for a short form's text, and for what rules do not look at. */
const SHORT_FORMS: Readonly<Record<string, (text: string) => Input>> = {
  Bash: (command) => ({ command }),
  Read: (file_path) => ({ file_path }),
  Write: (file_path) => ({ file_path, content: '' }),
  Edit: (file_path) => ({ file_path, old_string: 'a', new_string: 'b' }),
  Grep: (path) => ({ path, pattern: 'a' }),
  Glob: (pattern) => ({ pattern }),
  Agent: (subagent_type) => ({ subagent_type, description: 'what it does', prompt: 'its task' }),
  SendMessage: (to) => ({ to, message: 'a message' }),
  WebFetch: (url) => ({ url, prompt: 'what to find' }),
};

/**
 * Reads `Tool(input)`, where the input is a command, a path, an address or a name as in a rule, or JSON.
 *
 * @throws UsageError for a tool that does not exist, or an input that it would not take
 */
export async function readUse(text: string): Promise<Use> {
  const written = text.trim();
  const open = written.indexOf('(');
  const name = open < 0 ? written : written.slice(0, open);
  if (open >= 0 && !written.endsWith(')'))
    throw new UsageError(`"${written}" has a "(" and does not end with ")". Write 'Tool(input)'.`);
  const tool = findTool(name);
  const parsed = await parseToolInput(
    tool,
    readInput(tool.name, open < 0 ? '' : written.slice(open + 1, -1)),
  );
  if (parsed.ok) return { tool, input: parsed.input };
  throw new UsageError(`${parsed.message}. ${howToWrite(tool.name)}`);
}

function findTool(name: string): Tool {
  const known = getAllBaseTools();
  const found = findToolByName(known, name);
  if (found !== undefined) return found;
  if (/^mcp__.+__.+$/.test(name) || name === 'WebFetch') return standIn(name);
  const names = known.map((tool) => tool.name);
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no tool "${name}". ${hint}`);
}

/** A tool that is known by its name only: what a server would say of it changes no decision. */
function standIn(name: string): Tool {
  return buildJsonSchemaTool({
    name,
    inputJSONSchema: { type: 'object' },
    call: () => Promise.reject(new Error(`${name} is not there to be run.`)),
  });
}

function readInput(name: string, text: string): unknown {
  if (text.trim() === '') return {};
  const short = Object.hasOwn(SHORT_FORMS, name) ? SHORT_FORMS[name] : undefined;
  if (short !== undefined && !/^\s*\{\s*(?:"|\})/.test(text)) return short(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = (error as Error).message; // what JSON.parse throws
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
