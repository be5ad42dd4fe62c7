import { mkdtemp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createOrchestrator } from '../../src/api/orchestrator/orchestrator.js';
import type { OrchestratorOptions } from '../../src/actors/options/orchestrator-options.js';
import type { AgentDefinition } from '../../src/core/agents/agent-definition.js';
import {
  getEmptyToolPermissionContext,
  type ToolPermissionContext,
} from '../../src/core/permission-types.js';
import { createAnthropicModel } from '../../src/model/anthropic/anthropic-model.js';
import {
  createScriptedModel,
  type ScriptFunction,
} from '../../src/model/scripted/scripted-model.js';
import {
  createFakeMessagesApi,
  type FakeMessagesApiOptions,
} from '../../src/testing/fake-messages-api.js';

export type TroupeOptions = Omit<OrchestratorOptions, 'cwd' | 'home' | 'model'> & {
  /** Files of the folder that the agents work in. */
  readonly files?: Readonly<Record<string, string>>;
};

/** A folder of its own below the system's temporary one, removed when the test ends. */
export async function createFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-actors-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An orchestrator over a scripted model, in its own folders; closed when the test ends. */
export async function createTroupe(script: ScriptFunction, options: TroupeOptions = {}) {
  return assemble(createScriptedModel(script), options);
}

/** The same over real HTTP: the real client talks to a strict fake of the Messages API. */
export async function createTroupeOverHttp(
  answers: FakeMessagesApiOptions,
  options: TroupeOptions = {},
) {
  const api = await createFakeMessagesApi(answers);
  onTestFinished(() => api.close());
  const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test' });
  return { ...(await assemble(model, options)), api };
}

async function assemble(
  model: NonNullable<OrchestratorOptions['model']>,
  { files = {}, ...options }: TroupeOptions,
) {
  const folder = await createFolder();
  const cwd = join(folder, 'work');
  const home = join(folder, "user's home");
  await mkdir(cwd);
  const at = (name: string): string => join(cwd, name);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
  const troupe = createOrchestrator({ permissions: ALLOW_ALL, ...options, cwd, home, model });
  onTestFinished(() => troupe.close());
  return {
    troupe,
    cwd,
    home,
    at,
    text: (name: string): Promise<string> => readFile(at(name), 'utf8'),
  };
}

/** Whatever no rule denies is allowed. */
export const ALLOW_ALL: ToolPermissionContext = {
  ...getEmptyToolPermissionContext(),
  mode: 'bypassPermissions',
  isBypassPermissionsModeAvailable: true,
};

/** Whatever changes something is asked for. */
export const ASK_FIRST: ToolPermissionContext = getEmptyToolPermissionContext();

/** An approver that leaves each request to others. */
export function waitForAnother(_request: unknown, { signal }: { readonly signal: AbortSignal }) {
  return new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** An agent in a few words. */
export function defineAgent(
  name: string,
  parts: Partial<Omit<AgentDefinition, 'name'>> = {},
): AgentDefinition {
  return { name, description: `The agent ${name}.`, prompt: `You are ${name}.`, ...parts };
}
