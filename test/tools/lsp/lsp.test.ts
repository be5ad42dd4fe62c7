import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProcessSupervisor } from '../../../src/processes/process-supervisor.js';
import { EditTool } from '../../../src/tools/files/edit.js';
import { MultiEditTool } from '../../../src/tools/files/multi-edit.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import { WriteTool } from '../../../src/tools/files/write.js';
import type { LanguageServers } from '../../../src/tools/capabilities/language-servers.js';
import { LspTool } from '../../../src/tools/lsp/lsp.js';
import type { LspInput } from '../../../src/tools/lsp/lsp-input.js';
import { LspOutput } from '../../../src/tools/lsp/lsp-output.js';
import type { ToolResult, ToolUseContext } from '../../../src/tools/tool.js';
import { openServers, typescriptServer } from '../../support/lsp/servers.js';
import { createContext } from '../../support/tool-context.js';

const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] } }',
  'package.json': '{ "type": "module" }',
  'src/shapes.ts': `export interface Shape {
  area(): number;
}

/** A shape with four equal sides. */
export class Square implements Shape {
  constructor(readonly side: number) {}

  area(): number {
    return this.side ** 2;
  }
}
`,
  'src/main.ts': `import { Square } from './shapes.js';

export const square = new Square(2);
export const area: string = square.area();
`,
  'src/total.ts': `import { square } from './main.js';

export function total(): number {
  return square.area();
}
`,
  '../outside/secret.ts': 'export const secretName = 42;\n',
};

const processes = createProcessSupervisor({ env: process.env });
let folder: string;
let root: string;
let servers: LanguageServers;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-lsp-')));
  root = join(folder, 'project');
  for (const name of ['project/src', 'outside'])
    await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(root, name), text);
  await symlink(root, join(folder, 'linked'));
  await symlink(join(folder, 'outside', 'secret.ts'), join(root, 'src', 'link.ts'));
  const lspServers = { typescript: typescriptServer() };
  servers = openServers(
    root,
    { lspServers, env: process.env, changeMs: 20_000 },
    processes,
  ).agent();
});
afterAll(async () => {
  await processes.close();
  await rm(folder, { recursive: true, force: true });
});

const contextOf = (files: Partial<ToolUseContext['files']> = {}): ToolUseContext =>
  createContext(root, { files: { languageServers: servers, ...files } });

const canUseTool = () => Promise.reject(new Error('LSP calls no other tool.'));

async function call(input: LspInput, context = contextOf()) {
  const { data } = await LspTool.call(input, context, canUseTool, undefined);
  expect(LspOutput.parse(data)).toEqual(data);
  return data;
}

const textOf = async (input: LspInput): Promise<string> => (await call(input)).result;

describe('LSP', { timeout: 30_000 }, () => {
  it('finds the definition of a symbol, in a path relative to the working folder', async () => {
    const place = { filePath: 'src/main.ts', line: 1, character: 10 };
    const data = await call({ operation: 'goToDefinition', ...place });
    const text = 'export class Square implements Shape {';
    expect(data).toEqual({
      operation: 'goToDefinition',
      filePath: join(root, 'src/main.ts'),
      result: `src/shapes.ts:6:14: ${text}`,
      resultCount: 1,
      fileCount: 1,
      locations: [
        {
          path: join(root, 'src/shapes.ts'),
          line: 6,
          character: 14,
          endLine: 6,
          endCharacter: 20,
          text,
        },
      ],
    });
    expect(LspTool.mapToolResultToToolResultBlockParam(data, 'toolu_1')).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: data.result,
    });
  });

  it('shows paths relative to a working folder that is a link', async () => {
    const place = { filePath: 'src/main.ts', line: 1, character: 10 };
    const linked = contextOf({ cwd: join(folder, 'linked') });
    expect((await call({ operation: 'goToDefinition', ...place }, linked)).result).toMatch(
      /^src\/shapes\.ts:6:14: /,
    );
  });

  it('finds all references, and implementations of an interface', async () => {
    const filePath = 'src/shapes.ts';
    expect(await textOf({ operation: 'findReferences', filePath, line: 6, character: 14 })).toBe(
      [
        'src/shapes.ts:6:14: export class Square implements Shape {',
        "src/main.ts:1:10: import { Square } from './shapes.js';",
        'src/main.ts:3:27: export const square = new Square(2);',
      ].join('\n'),
    );
    expect(
      await textOf({ operation: 'goToImplementation', filePath, line: 1, character: 18 }),
    ).toBe('src/shapes.ts:6:14: export class Square implements Shape {');
  });

  it('finds the calls of a function, and the functions that it calls', async () => {
    const area = { filePath: 'src/shapes.ts', line: 9, character: 3 };
    expect(await textOf({ operation: 'prepareCallHierarchy', ...area })).toBe(
      'Method area src/shapes.ts:9:3',
    );
    const calls = await textOf({ operation: 'incomingCalls', ...area });
    expect(calls.split('\n').toSorted()).toEqual([
      'Function total src/total.ts:4:17',
      'Module main.ts src/main.ts:4:36',
    ]);
    const total = { filePath: 'src/total.ts', line: 3, character: 17 };
    expect(await textOf({ operation: 'outgoingCalls', ...total })).toBe(
      'Method area src/shapes.ts:9:3',
    );
  });

  it('tells type and documentation of a symbol', async () => {
    const place = { filePath: 'src/main.ts', line: 3, character: 27 };
    expect(await textOf({ operation: 'hover', ...place })).toBe(
      '```typescript\n(alias) new Square(side: number): Square\nimport Square\n```\nA shape with four equal sides.',
    );
    expect(await textOf({ operation: 'hover', ...place, line: 2, character: 1 })).toMatch(
      /^The server knows nothing about this place\./,
    );
  });

  it('lists the symbols of a file and of the project', async () => {
    const filePath = 'src/shapes.ts';
    expect(await textOf({ operation: 'documentSymbol', filePath })).toBe(
      [
        'Interface Shape src/shapes.ts:1:18',
        '  Method area src/shapes.ts:2:3',
        'Class Square src/shapes.ts:6:14',
        '  Constructor constructor src/shapes.ts:7:3',
        '  Method area src/shapes.ts:9:3',
        '  Property side src/shapes.ts:7:24',
      ].join('\n'),
    );
    const found = await textOf({ operation: 'workspaceSymbol', filePath, query: 'squ' });
    expect(found.split('\n').toSorted()).toEqual([
      'Class Square src/shapes.ts:6:1',
      'Constant square src/main.ts:3:14',
    ]);
  });

  it('reports the problems of a file', async () => {
    const { diagnostics, ...data } = await call({
      operation: 'diagnostics',
      filePath: 'src/main.ts',
    });
    expect(data.result).toBe(
      "src/main.ts:4:14 error (typescript 2322): Type 'number' is not assignable to type 'string'.",
    );
    expect(diagnostics).toEqual([
      {
        path: join(root, 'src/main.ts'),
        line: 4,
        character: 14,
        endLine: 4,
        endCharacter: 18,
        severity: 'error',
        code: '2322',
        source: 'typescript',
        message: "Type 'number' is not assignable to type 'string'.",
      },
    ]);
    expect(await textOf({ operation: 'diagnostics', filePath: 'src/shapes.ts' })).toBe(
      'The server finds no problems.',
    );
  });

  it('shows no line of a file outside the project, or of one that a rule denies', async () => {
    const uses = join(root, 'src', 'uses.ts');
    await writeFile(
      uses,
      "import { secretName } from '../../outside/secret.js';\nimport { Square } from './shapes.js';\n",
    );
    expect(
      await textOf({ operation: 'goToDefinition', filePath: uses, line: 1, character: 10 }),
    ).toBe(`${join(folder, 'outside', 'secret.ts')}:1:14`);
    const denied = contextOf({ mayRead: (path) => !path.endsWith('shapes.ts') });
    const place = { filePath: uses, line: 2, character: 10 };
    const { result } = await call({ operation: 'goToDefinition', ...place }, denied);
    expect(result).toBe('src/shapes.ts:6:14');
  });

  it('opens only the file that the call was allowed for', async () => {
    const context = contextOf({ approvedPaths: [join(root, 'src/link.ts')] });
    await expect(
      call({ operation: 'documentSymbol', filePath: 'src/link.ts' }, context),
    ).rejects.toThrow('outside/secret.ts');
  });

  it.each([
    [{ operation: 'hover', filePath: 'a.ts', line: 1 }, 'hover needs line and character'],
    [{ operation: 'workspaceSymbol', filePath: 'a.ts' }, 'workspaceSymbol needs query'],
  ] as const)('says which field is missing: %o', async (input, message) => {
    expect(await LspTool.validateInput?.(input, contextOf())).toEqual({
      result: false,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['src/nothing.ts', 'src/nothing.ts does not exist'],
    ['src', 'is a folder'],
  ])('says what is wrong with a file: %s', async (filePath, message) => {
    await expect(call({ operation: 'documentSymbol', filePath })).rejects.toThrow(message);
  });

  it('says that a line is beyond the end of the file', async () => {
    await expect(
      call({ operation: 'hover', filePath: 'src/main.ts', line: 99, character: 1 }),
    ).rejects.toThrow('src/main.ts has 5 lines, so it has no line 99.');
  });
});

describe('a change of a file whose language server runs', { timeout: 30_000 }, () => {
  it('brings its new errors beside the result, and none if it corrects them', async () => {
    const context = contextOf();
    const file_path = join(root, 'src/main.ts');
    const run = async <Input>(
      tool: {
        call(
          ...use: [Input, ToolUseContext, typeof canUseTool, undefined]
        ): Promise<ToolResult<unknown>>;
      },
      input: Input,
    ) => (await tool.call(input, context, canUseTool, undefined)).newMessages;
    await ReadTool.call({ file_path }, context, canUseTool, undefined);

    const worse = { old_string: 'new Square(2)', new_string: 'new Square(true)' };
    expect(await run(EditTool, { file_path, ...worse })).toEqual([
      {
        role: 'user',
        content: `A language server finds new errors in files that you have changed:
<new-errors>
src/main.ts:3:34 error (typescript 2345): Argument of type 'boolean' is not assignable to parameter of type 'number'.
</new-errors>`,
      },
    ]);
    const edits = [
      { old_string: 'new Square(true)', new_string: 'new Square(3)' },
      { old_string: 'area: string', new_string: 'area: number' },
    ];
    expect(await run(MultiEditTool, { file_path, edits })).toBe(undefined);
    const wrong = join(root, 'src/wrong.ts');
    const messages = await run(WriteTool, {
      file_path: wrong,
      content: 'export const one: number = "";\n',
    });
    expect(messages?.[0]?.content).toContain('src/wrong.ts:1:14 error (typescript 2322)');
  });
});
