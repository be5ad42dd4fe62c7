import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatherFacts } from '../../src/actors/gather-facts.js';
import { getEmptyToolPermissionContext } from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import { buildTool, type ToolDef } from '../../src/tools/build-tool.js';
import { createFileStateCache } from '../../src/tools/file-state-cache.js';
import type { Tool, ToolUseContext } from '../../src/tools/tool.js';

let root: string;
let project: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'facts-')));
  project = join(root, 'home', 'project');
  await mkdir(join(project, 'src'), { recursive: true });
  await writeFile(join(project, 'src', 'a.ts'), '');
  await writeFile(join(root, 'outside'), '');
});
afterEach(() => rm(root, { recursive: true }));

function contextAt(cwd: string): ToolUseContext {
  return {
    options: {
      tools: [],
      mainLoopModel: 'model',
      agentDefinitions: [],
      isNonInteractiveSession: true,
      verbose: false,
      debug: false,
      env: { HOME: join(root, 'home') },
    },
    toolUseId: 'toolu_1',
    abortController: new AbortController(),
    cwd,
    projectRoot: project,
    readFileState: createFileStateCache(),
    messages: [],
  };
}

const inputSchema = z.object({ path: z.string() });

function touching(
  access: 'read' | 'write',
  more: Partial<ToolDef<typeof inputSchema, string>> = {},
): Tool {
  return buildTool({
    name: access === 'read' ? 'Read' : 'Write',
    inputSchema,
    permissionTarget: ({ path }) => ({ kind: 'paths', paths: [{ path, access }] }),
    call: async () => ({ data: '' }),
    ...more,
  }) as unknown as Tool; // a tool among others: its input is only known to itself
}

async function resolved(path: string): Promise<string | undefined> {
  const { target } = await gatherFacts(touching('write'), { path }, contextAt(project));
  return target?.kind === 'paths' ? target.paths[0]?.resolved : undefined;
}

describe('gatherFacts', () => {
  it('finds where a path really leads, also where nothing is there yet', async () => {
    await symlink('../../outside', join(project, 'out'));
    await symlink(join(root, 'missing', 'file'), join(project, 'dangling'));
    await symlink('loop', join(project, 'loop'));
    await symlink(join(root, 'home'), join(project, 'dir'));
    expect(await resolved('src/a.ts')).toBe(join(project, 'src', 'a.ts'));
    expect(await resolved('src/new/deep.ts')).toBe(join(project, 'src', 'new', 'deep.ts'));
    expect(await resolved('out')).toBe(join(root, 'outside'));
    expect(await resolved('dangling')).toBe(join(root, 'missing', 'file'));
    expect(await resolved('dir/../x')).toBe(join(root, 'x'));
    expect(await resolved('loop')).toBeUndefined();
    expect(await resolved('a\0b')).toBeUndefined();
  });

  it('gives both spellings, the place and nothing that JSON would lose', async () => {
    const facts = await gatherFacts(
      touching('read'),
      { path: '../project/src/../b' },
      contextAt(project),
    );
    expect(facts).toEqual({
      toolName: 'Read',
      isReadOnly: false,
      requiresUserInteraction: false,
      input: { path: '../project/src/../b' },
      ownCheck: { behavior: 'passthrough' },
      target: {
        kind: 'paths',
        paths: [
          {
            given: `${project}/../project/src/../b`,
            lexical: join(project, 'b'),
            resolved: join(project, 'b'),
            access: 'read',
          },
        ],
      },
      place: { cwd: project, projectRoot: project, home: join(root, 'home'), realPaths: {} },
    });
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });

  it('knows a project behind a link under both names', async () => {
    const link = join(root, 'link');
    await symlink(project, link);
    const context = { ...contextAt(link), projectRoot: link };
    const facts = await gatherFacts(touching('read'), { path: 'src/a.ts' }, context);
    expect(facts.place.realPaths).toEqual({ [link]: project });
    expect(decide(facts, getEmptyToolPermissionContext()).behavior).toBe('allow');
  });

  it('resolves what a shell command reads and writes', async () => {
    await symlink(join(root, 'outside'), join(project, 'out'));
    const bash = touching('write', {
      name: 'Bash',
      permissionTarget: ({ path }) => ({ kind: 'shell', command: path }),
    });
    const behavior = async (command: string): Promise<string> =>
      decide(await gatherFacts(bash, { path: command }, contextAt(project)), {
        ...getEmptyToolPermissionContext(),
        mode: 'acceptEdits',
      }).behavior;
    expect(await behavior('cat src/a.ts')).toBe('allow');
    expect(await behavior('cat out')).toBe('ask');
    expect(await behavior('echo x > src/b.ts')).toBe('allow');
    expect(await behavior('echo x > out')).toBe('ask');
  });

  it('takes a check that fails for an ask that nothing overrides', async () => {
    const broken = touching('read', {
      checkPermissions: () => Promise.reject(new Error('no answer')),
      isReadOnly: () => {
        throw new Error('no idea');
      },
    });
    const facts = await gatherFacts(broken, { path: 'src/a.ts' }, contextAt(project));
    expect(facts.isReadOnly).toBe(false);
    const bypass = {
      ...getEmptyToolPermissionContext(),
      mode: 'bypassPermissions',
      isBypassPermissionsModeAvailable: true,
    } as const;
    expect(decide(facts, bypass)).toEqual({
      behavior: 'ask',
      message: 'Read: its own permission check failed. Error: no answer',
      decisionReason: {
        type: 'safetyCheck',
        reason: 'the permission check of Read failed: Error: no answer',
        classifierApprovable: false,
      },
    });
  });
});
