import {
  link as hardLink,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatherFacts } from '../../../src/actors/facts/gather-facts.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { decide } from '../../../src/permissions/decide.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { ToolDef } from '../../../src/tools/complete-tool.js';
import { createBashGrammar } from '../../../src/tools/shell/bash-grammar.js';
import type { Tool, ToolUseContext } from '../../../src/tools/tool.js';
import { createContext } from '../../support/tool-context.js';

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

function contextAt(cwd: string, projectRoot = project): ToolUseContext {
  return createContext(cwd, {
    files: { projectRoot },
    session: { env: { HOME: join(root, 'home') } },
  });
}

const bashGrammar = createBashGrammar();
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
  const { target } = await gatherFacts(
    touching('write'),
    { path },
    contextAt(project),
    bashGrammar,
  );
  return target?.kind === 'paths' ? target.paths[0]?.resolved : undefined;
}

describe('gatherFacts', () => {
  it('finds where a path really leads, also if nothing is there yet', async () => {
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
      bashGrammar,
    );
    expect(facts).toEqual({
      toolName: 'Read',
      aliases: [],
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
    const context = contextAt(link, link);
    const facts = await gatherFacts(touching('read'), { path: 'src/a.ts' }, context, bashGrammar);
    expect(facts.place.realPaths).toEqual({ [link]: project });
    expect(decide(facts, getEmptyToolPermissionContext()).behavior).toBe('allow');
  });

  it('takes names in any case if the project is there under its name in another case', async () => {
    await symlink(project, join(root, 'home', 'PROJECT'));
    const context = contextAt(project);
    const behaviorOf = async (path: string): Promise<string> => {
      const facts = await gatherFacts(touching('write'), { path }, context, bashGrammar);
      const permissions = { ...getEmptyToolPermissionContext(), mode: 'acceptEdits' as const };
      return decide(facts, { ...permissions, alwaysDenyRules: { session: ['Edit(.env)'] } })
        .behavior;
    };
    expect(await behaviorOf('src/.GIT/hooks/pre-commit')).toBe('ask');
    expect(await behaviorOf('src/.ENV')).toBe('deny');
    expect(await behaviorOf('src/a.ts')).toBe('allow');
  });

  describe('of a shell command', () => {
    const bash = touching('write', {
      name: 'Bash',
      permissionTarget: ({ path }) => ({ kind: 'shell', command: path }),
    });
    /** How each command is decided, with rules of the project. */
    async function decided(
      commands: readonly string[],
      deny: readonly string[] = [],
    ): Promise<Record<string, string>> {
      const context = {
        ...getEmptyToolPermissionContext(),
        mode: 'acceptEdits',
        alwaysDenyRules: { projectSettings: deny },
      } as const;
      const pairs = commands.map(async (command) => {
        const facts = await gatherFacts(bash, { path: command }, contextAt(project), bashGrammar);
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
        return [command, decide(facts, context).behavior] as const;
      });
      return Object.fromEntries(await Promise.all(pairs));
    }

    it('finds the links that wildcards stand for', async () => {
      await symlink(join(root, 'outside'), join(project, 'link'));
      await symlink(join(project, 'src', 'a.ts'), join(project, 'inner'));
      await symlink(root, join(project, 'src', 'up'));
      await mkdir(join(project, 'plain'));
      await writeFile(join(project, 'plain', '-f'), '');
      expect(
        await decided([
          'cat lin*',
          'cat l?nk',
          'cat [k-m]ink',
          'head */up/outside',
          'cat s*/u*/outside',
          'cat *',
          'cat .*/x',
          'cat in*',
          'cat src/*.ts',
          'wc -l s*/a.ts',
          'echo l*',
          'echo */up/*',
        ]),
      ).toEqual({
        'cat lin*': 'ask',
        'cat l?nk': 'ask',
        'cat [k-m]ink': 'ask',
        'head */up/outside': 'ask',
        'cat s*/u*/outside': 'ask',
        'cat *': 'ask',
        'cat .*/x': 'ask',
        'cat in*': 'allow',
        'cat src/*.ts': 'allow',
        'wc -l s*/a.ts': 'allow',
        'echo l*': 'allow',
        'echo */up/*': 'ask',
      });
    });

    it('takes a name that a program would read as an option for one that cannot be known', async () => {
      await mkdir(join(project, '--to-file=', 'etc'), { recursive: true });
      await writeFile(join(project, '--to-file=', 'etc', 'x'), '');
      expect(await decided(['diff */*/*', 'diff ./*/*/*'])).toEqual({
        'diff */*/*': 'ask',
        'diff ./*/*/*': 'ask',
      });
    });

    it('judges what a link within the project hides by the rules for its target', async () => {
      await symlink(join(project, 'src', 'a.ts'), join(project, 'link'));
      const deny = ['Read(/src/a.ts)'];
      expect(await decided(['cat lin*', 'cat l*k'], deny)).toEqual({
        'cat lin*': 'deny',
        'cat l*k': 'deny',
      });
    });

    it('looks at a path in each existing folder that the line moves to', async () => {
      await symlink(join(root, 'outside'), join(project, 'src', 'link'));
      await symlink(join(project, 'nowhere'), join(project, 'dangling'));
      const lines = ['src', 'none', 'dangling', 'none; cd more; cd ../src'].map(
        (folder) => `eval "cd ${folder}; cat link x"`,
      );
      const outside = `Read(/${join(root, 'outside')})`;
      const decisions = [outside, 'Read(/nowhere/x)', 'Read(/none/x)'].map(async (deny) =>
        Object.values(await decided(lines, [deny])),
      );
      expect(await Promise.all(decisions)).toEqual([
        ['deny', 'ask', 'ask', 'deny'],
        ['ask', 'ask', 'deny', 'ask'],
        ['ask', 'deny', 'ask', 'deny'],
      ]);
    });

    it('looks whether the target of a copy is a directory', async () => {
      await symlink(join(root, 'outside'), join(project, 'src', 'f'));
      await writeFile(join(project, 'f'), '');
      await writeFile(join(project, '.npmrc.bak'), '');
      const commands = [
        'cp f src',
        'mv f src',
        'cp f src/a.ts',
        'cp f g',
        'cp src/.npmrc .',
        'mkdir d && cp src/.npmrc d',
      ];
      expect(await decided(commands)).toEqual({
        'cp f src': 'ask',
        'mv f src': 'ask',
        'cp f src/a.ts': 'allow',
        'cp f g': 'allow',
        'cp src/.npmrc .': 'ask',
        'mkdir d && cp src/.npmrc d': 'ask',
      });
      expect(await decided(['cp .npmrc .npmrc.bak', 'cp .npmrc other'])).toEqual({
        'cp .npmrc .npmrc.bak': 'allow',
        'cp .npmrc other': 'allow',
      });
    });

    it('looks what a folder that is copied or moved would bring along', async () => {
      await mkdir(join(project, 'evil', 'deep'), { recursive: true });
      await symlink(root, join(project, 'evil', 'link'));
      await mkdir(join(project, 'hooked', '.husky'), { recursive: true });
      await mkdir(join(project, 'old', 'src'), { recursive: true });
      await symlink(join(root, 'outside'), join(project, 'old', 'src', 'a.ts'));
      await mkdir(join(project, 'linked'));
      await symlink('../src', join(project, 'linked', 'up'));
      await symlink('b', join(project, 'src', 'inner'));
      await writeFile(join(project, 'src', 'b'), '');
      expect(
        await decided([
          'cp -r src lib',
          'cp -r src old',
          'cp -r evil lib',
          'cp -r hooked lib',
          'cp -r linked lib',
          'cp -r src/a.ts lib',
          'mv evil d && echo x > d/link',
          'mv evil d && cat d/link/outside',
          'mv evil d; cp a d/x',
          'mv linked/up d && echo x > d/y',
          'mv src d && echo x > d/a.ts',
          'mv src d && cat d/a.ts',
          'while ls; do echo x > d/y; mv evil d; done',
          'mv evil e; mv e d; echo x > d/y',
          'mv src e',
          'mv hooked e',
          'mv hooked e; mv e d',
        ]),
      ).toEqual({
        'cp -r src lib': 'allow',
        'cp -r src old': 'ask',
        'cp -r evil lib': 'ask',
        'cp -r hooked lib': 'ask',
        'cp -r linked lib': 'ask',
        'cp -r src/a.ts lib': 'allow',
        'mv evil d && echo x > d/link': 'ask',
        'mv evil d && cat d/link/outside': 'ask',
        'mv evil d; cp a d/x': 'ask',
        'mv linked/up d && echo x > d/y': 'ask',
        'mv src d && echo x > d/a.ts': 'allow',
        'mv src d && cat d/a.ts': 'allow',
        'while ls; do echo x > d/y; mv evil d; done': 'ask',
        'mv evil e; mv e d; echo x > d/y': 'ask',
        'mv src e': 'allow',
        'mv hooked e': 'ask',
        'mv hooked e; mv e d': 'ask',
      });
    });

    it('finds the protected files that wildcards stand for', async () => {
      await writeFile(join(project, 'lefthook.yml'), '');
      await writeFile(join(project, 'src', 'b.yml'), '');
      expect(await decided(['rm *.yml', 'rm src/*.yml', 'rm src/*', 'cat *.yml'])).toEqual({
        'rm *.yml': 'ask',
        'rm src/*.yml': 'allow',
        'rm src/*': 'allow',
        'cat *.yml': 'allow',
      });
    });

    it('finds the protected files that a wildcard brings to another folder', async () => {
      await mkdir(join(project, 'sub', 'deep'), { recursive: true });
      await mkdir(join(project, 'dir'));
      await mkdir(join(project, 'hooked', 'deep', '.husky'), { recursive: true });
      await writeFile(join(project, 'sub', 'lefthook.yml'), '');
      await writeFile(join(project, 'sub', 'a.ts'), '');
      await symlink(join(root, 'outside'), join(project, 'dir', 'a.ts'));
      const asking = [
        'cp sub/* .',
        'cp sub/l* .',
        'cp sub/*.yml dir/',
        'cp ./sub/* "$PWD"',
        'cp s*/lefthook.* .',
        'mv sub/* dir',
        'cd sub && cp * ..',
        'cp -t dir sub/*',
        'cp -r sub/. .',
        'cp sub/*.ts dir',
        'mv sub s && cp s/* .',
        'mv hooked/* dir',
        'mv h*/deep dir',
      ];
      const fine = ['cp sub/*.ts .', 'mv src/* sub/deep', 'cp -p src/*.ts sub', 'mv s*/deep dir'];
      expect(await decided([...asking, ...fine])).toEqual({
        ...Object.fromEntries(asking.map((command) => [command, 'ask'])),
        ...Object.fromEntries(fine.map((command) => [command, 'allow'])),
      });
    });

    it('asks if a wildcard may stand for a file that nobody may change', async () => {
      await writeFile(join(project, 'secret'), '');
      const asking = ['touch s*', 'rm s*', 'echo x > s*', 'mv se?ret b', 'cp src/a.ts [s]ecret'];
      const fine = ['cat s*', 'touch a*', 'rm src/*.ts'];
      const deny = ['Edit(secret)'];
      expect(await decided([...asking, ...fine], deny)).toEqual({
        ...Object.fromEntries(asking.map((command) => [command, 'ask'])),
        ...Object.fromEntries(fine.map((command) => [command, 'allow'])),
      });
      const context = {
        ...getEmptyToolPermissionContext(),
        mode: 'bypassPermissions',
        isBypassPermissionsModeAvailable: true,
        alwaysDenyRules: { projectSettings: deny },
      } as const;
      for (const command of asking) {
        const facts = await gatherFacts(bash, { path: command }, contextAt(project), bashGrammar);
        expect([command, decide(facts, context).behavior]).toEqual([command, 'ask']);
      }
    });

    describe('that overwrites a file with a hard link', () => {
      beforeEach(async () => {
        await mkdir(join(project, '.git'));
        await writeFile(join(project, '.git', 'config'), '');
        await hardLink(join(project, '.git', 'config'), join(project, 'conf'));
        await hardLink(join(project, 'conf'), join(project, 'src', 'conf'));
        await symlink('conf', join(project, 'alias'));
        await mkdir(join(project, 'from'));
        await writeFile(join(project, 'from', 'conf'), '');
      });
      const asking = [
        'echo x > conf',
        'echo x >> conf',
        'echo x > alias',
        'cd src && echo x > conf',
        'cp from/conf conf',
        'cp from/conf .',
        'cp from/* .',
        'cp from/conf c*',
        'cp -r from/conf src',
        'mv from/conf conf',
        'mv conf d && echo x > d',
        'mv src d && echo x > d/conf',
        'mkdir d && mv src d && cp -r from d/src/conf',
      ];
      const fine = [
        'cat conf',
        'cp conf src/new',
        'cp from/conf src/a.ts',
        'echo x > from/conf',
        "sed -i 's/a/b/' conf",
        'touch conf',
        'rm conf',
        'cp from/c* from/d',
      ];

      it('asks, and lets pass what reads, replaces or removes it', async () => {
        expect(await decided([...asking, ...fine])).toEqual({
          ...Object.fromEntries(asking.map((command) => [command, 'ask'])),
          ...Object.fromEntries(fine.map((command) => [command, 'allow'])),
        });
      });

      it.each([
        ['acceptEdits', ['Edit', 'Edit(conf)'], 'ask'],
        ['default', ['Bash'], 'ask'],
        ['default', ['Bash(cp *)', 'Bash(tee *)', 'Bash(echo *)', 'Edit(conf)'], 'ask'],
        ['dontAsk', ['Bash', 'Edit(conf)'], 'deny'],
        ['bypassPermissions', [], 'allow'],
      ] as const)('in the mode %s, with the rules %j: %s', async (mode, rules, behavior) => {
        const context = {
          ...getEmptyToolPermissionContext(),
          mode,
          isBypassPermissionsModeAvailable: true,
          alwaysAllowRules: { projectSettings: rules },
        };
        for (const command of ['echo x > conf', 'cp from/conf conf', 'echo x | tee conf']) {
          const facts = await gatherFacts(bash, { path: command }, contextAt(project), bashGrammar);
          expect([command, decide(facts, context).behavior]).toEqual([command, behavior]);
        }
      });
    });

    it('looks whether what is searched or compared is a directory', async () => {
      const deny = ['Read(.env)'];
      const commands = ['grep -r x src', 'grep -rn x src/a.ts', 'diff src src', 'diff src/a.ts b'];
      expect(await decided(commands, deny)).toEqual({
        'grep -r x src': 'ask',
        'grep -rn x src/a.ts': 'allow',
        'diff src src': 'ask',
        'diff src/a.ts b': 'allow',
      });
      expect(await decided(['grep -r x src'])).toEqual({ 'grep -r x src': 'allow' });
    });

    it('reads the targets of links that a search or a comparison follows', async () => {
      await mkdir(join(project, 'linked'));
      await symlink(join(root, 'outside'), join(project, 'linked', 'out'));
      await mkdir(join(project, 'plain', 'deep'), { recursive: true });
      await symlink('deep', join(project, 'plain', 'inner'));
      const following = (folder: string): readonly string[] => [
        `grep -R x ${folder}`,
        `diff -r ${folder} src`,
        `find -L ${folder}`,
        `du -L ${folder}`,
        `ls -RL ${folder}`,
        `cd ${folder} && grep -R x`,
        `cd ${folder} && du -L`,
      ];
      const answers = async (folder: string): Promise<readonly string[]> =>
        Object.values(await decided(following(folder)));
      expect(await answers('plain')).toEqual(Array(7).fill('allow'));
      expect(await answers('linked')).toEqual(Array(7).fill('ask'));
      const unpacked = ['tar xf a && grep -R x plain', 'mv linked d && grep -R x d'];
      expect(Object.values(await decided(unpacked))).toEqual(['ask', 'ask']);
    });
  });

  it('resolves what a shell command reads and writes', async () => {
    await symlink(join(root, 'outside'), join(project, 'out'));
    const bash = touching('write', {
      name: 'Bash',
      permissionTarget: ({ path }) => ({ kind: 'shell', command: path }),
    });
    const behavior = async (command: string): Promise<string> =>
      decide(await gatherFacts(bash, { path: command }, contextAt(project), bashGrammar), {
        ...getEmptyToolPermissionContext(),
        mode: 'acceptEdits',
      }).behavior;
    expect(await behavior('cat src/a.ts')).toBe('allow');
    expect(await behavior('cat out')).toBe('ask');
    expect(await behavior('echo x > src/b.ts')).toBe('allow');
    expect(await behavior('echo x > out')).toBe('ask');
  });

  it('asks a tool with a matcher of its own about the rules that name it', async () => {
    const rules = {
      ...getEmptyToolPermissionContext(),
      alwaysAllowRules: { session: ['Read(size:small)', 'Bash(ls)'] },
      alwaysDenyRules: { session: ['Read(size:large)', 'Read', '*'] },
    };
    const sized = touching('read', {
      preparePermissionMatcher: ({ path }) =>
        Promise.resolve((content) => content === (path === 'big' ? 'size:large' : 'size:small')),
    });
    const gather = (tool: Tool, path: string) =>
      gatherFacts(tool, { path }, contextAt(project), bashGrammar, { rules });
    expect((await gather(sized, 'big')).matchedContents).toEqual(['size:large']);
    expect((await gather(touching('read'), 'big')).matchedContents).toBeUndefined();
    const broken = touching('read', {
      preparePermissionMatcher: () => Promise.reject(new Error('no idea')),
    });
    expect((await gather(broken, 'big')).ownCheck).toMatchObject({
      behavior: 'ask',
      message: 'Read: its own matcher of rules failed. Error: no idea',
    });
  });

  it.each<[string, readonly string[] | Error, object]>([
    ['https://a.example/x', ['93.184.216.34'], { host: 'a.example', addresses: ['93.184.216.34'] }],
    ['http://127.0.0.1/', new Error('never asked'), { host: '127.0.0.1', addresses: [] }],
    ['http://[::1]/', new Error('never asked'), { host: '[::1]', addresses: [] }],
    [
      'https://a.example/',
      new Error('gone'),
      { problem: 'a.example cannot be resolved: gone', addresses: [] },
    ],
    [
      'ftp://a.example/',
      new Error('never asked'),
      { problem: '"ftp:" cannot be fetched: only http: and https: can', addresses: [] },
    ],
  ])('finds where %s leads', async (url, found, request) => {
    const fetching = touching('read', { permissionTarget: () => ({ kind: 'web', url }) });
    const resolve = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found));
    const facts = await gatherFacts(fetching, { path: '' }, contextAt(project), bashGrammar, {
      resolve,
    });
    expect(facts.target).toEqual({ kind: 'web', request: { url, ...request } });
  });

  it('takes a check that fails for an ask that nothing overrides', async () => {
    const broken = touching('read', {
      checkPermissions: () => Promise.reject(new Error('no answer')),
      isReadOnly: () => {
        throw new Error('no idea');
      },
    });
    const facts = await gatherFacts(broken, { path: 'src/a.ts' }, contextAt(project), bashGrammar);
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
