import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import type { Tool, ToolUseContext } from '../../../src/tools/tool.js';

/** A temporary folder with these files, removed when the test ends. */
export async function createWorkspace(files: Readonly<Record<string, string | Buffer>> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-tools-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  const put = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) await put(name, content);
  return {
    folder,
    at,
    put,
    text: (name: string) => readFile(at(name), 'utf8'),
    list: () => listTree(folder),
  };
}

/** Parses the input as a model's would be, and calls the tool. Rejects if either does. */
export async function run(
  tool: Tool,
  input: unknown,
  context: ToolUseContext,
): Promise<ToolResultBlock> {
  const data = await runData(tool, input, context);
  return tool.mapToolResultToToolResultBlockParam(data, context.call.toolUseId);
}

/** The data of the result, for programs. Its schema, if there is one, accepts all of it and knows every member. */
export async function runData(
  tool: Tool,
  input: unknown,
  context: ToolUseContext,
): Promise<unknown> {
  const parsed = await parseInput(tool, input);
  if (!parsed.ok) throw new Error(parsed.message);
  const canUseTool = () => Promise.resolve({ behavior: 'allow' } as const);
  const { data } = await tool.call(parsed.input, context, canUseTool, undefined);
  if (tool.outputSchema !== undefined) expect(tool.outputSchema.parse(data)).toEqual(data);
  return data;
}

/** The text that the model gets. */
export async function runText(
  tool: Tool,
  input: unknown,
  context: ToolUseContext,
): Promise<string> {
  const { content } = await run(tool, input, context);
  if (typeof content !== 'string') throw new TypeError('the result is not text');
  return content;
}

/** Each path below a folder with its content, mode and link target: equal lists mean nothing was touched. */
async function listTree(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const stats = await lstat(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) tree[name] = `-> ${await readlink(path)}`;
    else if (stats.isFile()) tree[name] = `${mode} ${await readFile(path, 'latin1')}`;
    else tree[name] = `${mode} folder`;
  }
  return tree;
}
