import { describe, expect, expectTypeOf, it } from 'vitest';
import { createToolRegistry } from '../../../src/api/tools/tool-registry.js';
import type { z } from 'zod';
import { isFileResult, isGrepResult } from '../../../src/tools/calls/tool-results.js';
import type { ReadToolResult } from '../../../src/tools/calls/read-result.js';
import type * as results from '../../../src/tools/calls/tool-results.js';
import type { ToolSuccess } from '../../../src/tools/calls/tool-outcome.js';
import type { LspInput } from '../../../src/tools/lsp/lsp-input.js';
import type { ListMcpResourcesInput } from '../../../src/tools/mcp/list-mcp-resources.js';
import type { ReadMcpResourceInput } from '../../../src/tools/mcp/read-mcp-resource.js';
import type { LspOutput } from '../../../src/tools/lsp/lsp-output.js';
import type * as inputs from '../../../src/tools/tool-inputs.js';
import type { DeepImmutable } from '../../../src/core/json/deep-immutable.js';
import type { AgentInput } from '../../../src/tools/agents/agent-input.js';
import type { AskUserQuestionInput } from '../../../src/tools/dialogue/ask-user-question.js';
import type { ExitPlanModeInput } from '../../../src/tools/dialogue/exit-plan-mode.js';
import type { NotebookEditInput } from '../../../src/tools/files/notebook-edit.js';
import type { SkillInput } from '../../../src/tools/skills/skill.js';
import type { WebFetchInput } from '../../../src/tools/web/web-fetch.js';
import type { WebSearchInput } from '../../../src/tools/web/web-search.js';
import type { EditInput } from '../../../src/tools/files/edit.js';
import type { GlobInput } from '../../../src/tools/files/glob.js';
import type { GrepInput } from '../../../src/tools/files/grep.js';
import type { MultiEditInput } from '../../../src/tools/files/multi-edit.js';
import type { ReadInput } from '../../../src/tools/files/read.js';
import type {
  EditOutput,
  GlobOutput,
  GrepOutput,
  MultiEditOutput,
  WriteOutput,
} from '../../../src/tools/files/output-schemas.js';
import type { ReadOutput } from '../../../src/tools/files/read/read-output.js';
import type { WriteInput } from '../../../src/tools/files/write.js';
import type { ToolSearchInput } from '../../../src/tools/pool/tool-search.js';
import type { BashOutputInput } from '../../../src/tools/shell/bash-output.js';
import type { BashInput } from '../../../src/tools/shell/bash.js';
import type { KillShellInput } from '../../../src/tools/shell/kill-shell.js';
import type { TaskOutputInput } from '../../../src/tools/tasks/task-output.js';
import type { TaskStopInput } from '../../../src/tools/tasks/task-stop.js';
import type { TodoWriteInput } from '../../../src/tools/tasks/todo-write.js';
import { createWorkspace } from '../../tools/files/workspace.js';

type Input<Schema extends z.ZodType> = DeepImmutable<z.input<Schema>>;

describe('a tool registry', () => {
  it('runs tools with typed inputs and results, over one memory of what was read', async () => {
    const { folder, at, text } = await createWorkspace({ 'a.txt': 'one\ntwo\n' });
    const tools = createToolRegistry({ cwd: folder });
    expect(tools.names).toEqual(['Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep']);
    const edit = { file_path: 'a.txt', old_string: 'two', new_string: 'three' };
    expect(await tools.execute('Edit', edit)).toEqual({
      success: false,
      error: expect.stringContaining('Read'),
    });
    const read = await tools.execute('Read', { file_path: 'a.txt' });
    expectTypeOf(read).toEqualTypeOf<ReadToolResult>();
    expect(read).toMatchObject({
      success: true,
      output: '     1\tone\n     2\ttwo',
      filePath: at('a.txt'),
      lineCount: 2,
    });
    expect(await tools.execute('Edit', edit)).toMatchObject({ success: true, replacements: 1 });
    expect(await text('a.txt')).toBe('one\nthree\n');
    const found = await tools.execute('Grep', { pattern: 'thr', output_mode: 'content' });
    expect(found).toMatchObject({ success: true, totalMatches: 1 });
    expect([isGrepResult(found), isFileResult(found), isFileResult(read)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('turns wrong inputs and unknown tools into errors', async () => {
    const { folder } = await createWorkspace();
    const tools = createToolRegistry({ cwd: folder });
    const wrong = { file_path: 'a', limit: '5' } as never;
    expect(await tools.execute('Read', wrong)).toEqual({
      success: false,
      error: 'Read: limit must be a number, not the string "5"',
    });
    expect(await tools.execute('Bash' as never, {} as never)).toEqual({
      success: false,
      error:
        'There is no tool "Bash" in the registry. There are: Read, Write, Edit, MultiEdit, Glob, Grep.',
    });
    const throwing = Object.defineProperty({}, 'file_path', {
      enumerable: true,
      get() {
        throw new Error('no path today');
      },
    });
    expect(await tools.execute('Read', throwing as never)).toEqual({
      success: false,
      error: expect.stringContaining('no path today'),
    });
    expect(await tools.execute(10n as never, {} as never)).toMatchObject({ success: false });
    for (const wrongOptions of [{ cwd: 5 }, null, { signal: {} }, { cdw: '/' }])
      expect(() => createToolRegistry(wrongOptions as never)).toThrow(/^createToolRegistry: /);
  });

  it('has the facts of each kind of file once a result is a success', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const files = { 'a.txt': 'one\n\nthree\nfour\n', 'empty.txt': '', 'a.png': png };
    const { folder, at } = await createWorkspace(files);
    const tools = createToolRegistry({ cwd: folder });
    const text = await tools.execute('Read', { file_path: 'a.txt', offset: 2, limit: 2 });
    if (!text.success || text.type !== 'text') throw new Error('not a text');
    expectTypeOf(text.content).toEqualTypeOf<string>();
    expectTypeOf(text.lineCount).toEqualTypeOf<number | undefined>();
    expect(text).toEqual({
      success: true,
      output: `     2\t\n     3\tthree\n[Lines 2-3 of 4. Read on with offset 4.]`,
      type: 'text',
      filePath: at('a.txt'),
      content: '\nthree',
      note: '[Lines 2-3 of 4. Read on with offset 4.]',
      lineCount: 4,
      fileSize: 16,
      fileType: 'txt',
      truncated: true,
      offset: 2,
      limit: 2,
    });
    const note = `[${at('empty.txt')} exists and is empty.]`;
    const empty = { type: 'text', content: '', note, output: note, lineCount: 0 };
    expect(await tools.execute('Read', { file_path: 'empty.txt' })).toMatchObject(empty);
    const image = { type: 'image', mediaType: 'image/png', data: png.toString('base64') };
    expect(await tools.execute('Read', { file_path: 'a.png' })).toMatchObject(image);
    const found = await tools.execute('Glob', { pattern: '*.txt' });
    if (!found.success) throw new Error(found.error);
    expectTypeOf(found.files).toEqualTypeOf<readonly string[]>();
    expect(found.count).toBe(2);
  });

  it('makes several edits at once', async () => {
    const { folder, at, text } = await createWorkspace({ 'a.txt': 'one\ntwo\n' });
    const tools = createToolRegistry({ cwd: folder });
    await tools.execute('Read', { file_path: 'a.txt' });
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'two', new_string: '2' },
    ];
    const edited = await tools.execute('MultiEdit', { file_path: 'a.txt', edits });
    expectTypeOf(edited).toEqualTypeOf<results.MultiEditToolResult>();
    expect(edited).toMatchObject({ success: true, totalEdits: 2, modifiedFiles: [at('a.txt')] });
    expect(await text('a.txt')).toBe('1\n2\n');
  });

  it('is not made for a folder that is not absolute', () => {
    expect(() => createToolRegistry({ cwd: 'src' })).toThrow(
      'createToolRegistry: cwd must be an absolute path, not "src". Write path.resolve("src").',
    );
  });

  it('ends with its signal', async () => {
    const { folder } = await createWorkspace({ 'a.txt': 'one' });
    const controller = new AbortController();
    const tools = createToolRegistry({ cwd: folder, signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await tools.execute('Read', { file_path: 'a.txt' })).toEqual({
      success: false,
      error: 'enough',
    });
  });
});

describe('the results of the built-in tools', () => {
  it('have the facts that the tools return', () => {
    type Of<Output> = Output & ToolSuccess;
    expectTypeOf<Of<ReadOutput>>().toExtend<ReadToolResult>();
    expectTypeOf<Of<WriteOutput>>().toExtend<results.WriteToolResult>();
    expectTypeOf<Of<EditOutput>>().toExtend<results.EditToolResult>();
    expectTypeOf<Of<MultiEditOutput>>().toExtend<results.MultiEditToolResult>();
    expectTypeOf<Of<GlobOutput>>().toExtend<results.GlobToolResult>();
    expectTypeOf<Of<LspOutput>>().toExtend<results.LSPToolResult>();
    expectTypeOf<Of<GrepOutput>>().toExtend<results.GrepToolResult>();
  });
});

describe('the inputs of the built-in tools', () => {
  it('are those of their schemas', () => {
    expectTypeOf<inputs.FileReadInput>().toEqualTypeOf<Input<typeof ReadInput>>();
    expectTypeOf<inputs.MultiEditInput>().toEqualTypeOf<Input<typeof MultiEditInput>>();
    expectTypeOf<inputs.FileWriteInput>().toEqualTypeOf<Input<typeof WriteInput>>();
    expectTypeOf<inputs.FileEditInput>().toEqualTypeOf<Input<typeof EditInput>>();
    expectTypeOf<inputs.GlobInput>().toEqualTypeOf<Input<typeof GlobInput>>();
    expectTypeOf<inputs.GrepInput>().toEqualTypeOf<Input<typeof GrepInput>>();
    expectTypeOf<inputs.ListMcpResourcesInput>().toEqualTypeOf<
      Input<typeof ListMcpResourcesInput>
    >();
    expectTypeOf<inputs.ReadMcpResourceInput>().toEqualTypeOf<Input<typeof ReadMcpResourceInput>>();
    expectTypeOf<inputs.LSPInput>().toEqualTypeOf<Input<typeof LspInput>>();
    expectTypeOf<inputs.BashInput>().toEqualTypeOf<Input<typeof BashInput>>();
    expectTypeOf<inputs.BashOutputInput>().toEqualTypeOf<Input<typeof BashOutputInput>>();
    expectTypeOf<inputs.NotebookEditInput>().toEqualTypeOf<Input<typeof NotebookEditInput>>();
    expectTypeOf<inputs.WebFetchInput>().toEqualTypeOf<Input<typeof WebFetchInput>>();
    expectTypeOf<inputs.WebSearchInput>().toEqualTypeOf<Input<typeof WebSearchInput>>();
    expectTypeOf<inputs.SkillInput>().toEqualTypeOf<Input<typeof SkillInput>>();
    expectTypeOf<inputs.KillShellInput>().toEqualTypeOf<Input<typeof KillShellInput>>();
    expectTypeOf<inputs.AgentInput>().toEqualTypeOf<Input<typeof AgentInput>>();
    expectTypeOf<inputs.TaskOutputInput>().toEqualTypeOf<Input<typeof TaskOutputInput>>();
    expectTypeOf<inputs.TaskStopInput>().toEqualTypeOf<Input<typeof TaskStopInput>>();
    expectTypeOf<DeepImmutable<inputs.TodoWriteInput>>().toEqualTypeOf<
      Input<typeof TodoWriteInput>
    >();
    expectTypeOf<inputs.AskUserQuestionInput>().toEqualTypeOf<Input<typeof AskUserQuestionInput>>();
    expectTypeOf<inputs.ExitPlanModeInput>().toEqualTypeOf<Input<typeof ExitPlanModeInput>>();
    expectTypeOf<inputs.ToolSearchInput>().toEqualTypeOf<Input<typeof ToolSearchInput>>();
  });
});
