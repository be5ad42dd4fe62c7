import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sdk from '../fixtures/agent-sdk-names.json' with { type: 'json' };
import { documentationOf, exportedNames, unnamedParameters } from './declared-members.js';
import { listedNames, readText, root } from './pages.js';
import { findingsOf } from './words.js';
import { openDeclarations, openWithoutNodeTypes, type Declarations } from './declarations.js';

const PROGRAM = `
import { createOrchestrator, type Orchestrator } from 'troupe';
import { createScriptedModel } from 'troupe/testing';

export const troupe: Orchestrator = createOrchestrator({
  model: createScriptedModel({ version: 1, agents: [] }),
  inspect: (event) => console.log(event.type, event.actorRef.getSnapshot()),
});
`;

const PLAIN_PROGRAM = `
import { startup, type Query, type WarmQuery } from 'troupe';

export const warm: Promise<WarmQuery> = startup();
export const end = (query: Query): Promise<void> => query[Symbol.asyncDispose]();
`;

let declarations: Declarations;
beforeAll(async () => {
  declarations = await openDeclarations(PROGRAM);
});
afterAll(() => declarations.close());

describe('the declarations of the built package', () => {
  it('compile in a strict program that checks declaration files too', () => {
    const { program } = declarations.project;
    const diagnostics = [...program.getProgramDiagnostics(), ...program.getSemanticDiagnostics()];
    expect(
      diagnostics.map(({ fileName, text }) => `${fileName ?? 'the program'}: ${text}`),
    ).toEqual([]);
  });

  it('compile with the types of a browser in place of those of Node, and no newer library', async () => {
    const plain = await openWithoutNodeTypes(PLAIN_PROGRAM);
    const { program } = plain.project;
    const files = program.getSourceFileNames();
    const own = files.filter((file) => /\/(program\.ts|troupe\/dist\/.*)$/.test(file));
    const diagnostics = own.flatMap((file) => program.getSemanticDiagnostics(file));
    await plain.close();
    expect(own.filter((file) => file.endsWith('/query/startup.d.ts'))).toHaveLength(1);
    expect(files.filter((file) => file.includes('/@types/node/'))).toEqual([]);
    expect(diagnostics.map(({ fileName, text }) => `${fileName}: ${text}`)).toEqual([]);
  });

  it('refer to no type of xstate', () => {
    const files = declarations.project.program.getSourceFileNames();
    expect(files.filter((file) => file.includes('/dist/index.d.ts'))).not.toEqual([]);
    expect(files.filter((file) => file.includes('/node_modules/xstate/'))).toEqual([]);
  });

  it.each(['index', 'testing/index'])('have TSDoc for every export and member: %s', (entry) => {
    const all = documentationOf(declarations.project, `${root}dist/${entry}.d.ts`);
    const bare = all.filter(({ text }) => text === '');
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it.each(['index', 'testing/index'])('are documented in plain words: %s', (entry) => {
    const all = documentationOf(declarations.project, `${root}dist/${entry}.d.ts`);
    const findings = all.flatMap(({ name, text }) =>
      findingsOf('documentation.ts', `/** ${text} */`).map(
        ({ found, write }) => `${name}: "${found}": write ${write}`,
      ),
    );
    expect(findings).toEqual([]);
  });

  it.each(['index', 'testing/index'])('name and export the types of options: %s', (entry) => {
    expect(unnamedParameters(declarations.project, `${root}dist/${entry}.d.ts`)).toEqual([]);
  });
});

describe('docs/build/tools.md', () => {
  it.each(['tools/tool-inputs', 'tools/calls/tool-results'])('names what %s exports', (file) => {
    const { all } = exportedNames(declarations.project, `${root}dist/${file}.d.ts`);
    const page = readText('docs/build/tools.md');
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });
});

describe('the names of the Claude Agent SDK', () => {
  const page = readText('docs/build/query.md');
  const missing = [
    ...listedNames(page, 'These values are missing'),
    ...listedNames(page, 'These types are missing'),
  ];

  it('are exported, or docs/build/query.md says why not', () => {
    const exported = exportedNames(declarations.project, `${root}dist/index.d.ts`);
    const absent = [
      ...sdk.values.filter((name) => !exported.values.includes(name)),
      ...sdk.types.filter((name) => !exported.all.includes(name)),
    ];
    expect(missing.toSorted()).toEqual(absent.toSorted());
    expect(page).toContain(`The names of version ${sdk.version} are the measure.`);
  });

  it('that have another meaning are exported', () => {
    const { all } = exportedNames(declarations.project, `${root}dist/index.d.ts`);
    const different = listedNames(page, 'These types have the same name');
    expect(different.length).toBeGreaterThan(0);
    expect(different.filter((name) => !all.includes(name) || !sdk.types.includes(name))).toEqual(
      [],
    );
  });
});
