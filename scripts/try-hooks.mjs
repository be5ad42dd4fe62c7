/**
 * Run the hooks of public repositories in copies of them: `node scripts/try-hooks.mjs FOLDER…`. A folder is the checkout of
 * a repository (`scripts/fetch-repositories.mjs`). The built command plays a session with the scripted model that has
 * most events. Counts the hooks that load, run and end well, prints why the rest does not, and compares the fields of each
 * event with the published ones. Then each program runs by itself on the same inputs: the session must have the effects that
 * its output has by the published rules. The hooks of strangers run: use a container without network.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { compareEffects } from './repositories/compare-effects.mjs';
import { filesIn } from './repositories/find-extensions.mjs';
import { runHookSession } from './repositories/hook-session.mjs';
import { factsOf } from './repositories/observed-effects.mjs';

const ABSENT =
  /not found|No such file|cannot find module|ModuleNotFoundError|can't open file|is not installed|Permission denied/i;
const REASON_CHARS = 200;
const sums = { hooks: 0, loaded: 0, began: 0, succeeded: 0, absent: 0, failed: 0, silent: 0 };
const effects = { compared: 0, asExpected: 0, varies: 0, late: 0, kinds: {} };
const fieldsOf = {};
/** The fields of the examples of the published documentation, by event. */
const PUBLISHED = parse(join(import.meta.dirname, 'repositories/published-hook-fields.json'));

function parse(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The hooks of a file, one by one. */
function hooksOf(value) {
  return Object.entries(value).flatMap(([event, groups]) =>
    Array.isArray(groups)
      ? groups.flatMap(({ matcher, hooks = [] }) => hooks.map((hook) => ({ event, matcher, hook })))
      : [],
  );
}

/** The files with hooks of a repository, and how each is used. */
function sourcesOf(root) {
  return filesIn(root)
    .filter((file) => file.endsWith('.json') && !/dashboard|cursor/.test(file))
    .flatMap((file) => {
      const path = join(root, file);
      const { hooks } = parse(path) ?? {};
      if (typeof hooks !== 'object' || hooks === null || hooksOf(hooks).length === 0) return [];
      const isPlugin = basename(file) === 'hooks.json' && basename(dirname(file)) === 'hooks';
      if (isPlugin) return [{ file, hooks, kind: 'plugin', folder: dirname(dirname(path)) }];
      const isProject = basename(dirname(file)) === '.claude';
      if (isProject) return [{ file, hooks, kind: 'project', folder: dirname(dirname(path)) }];
      return [{ file, hooks, kind: 'piece', folder: dirname(path) }];
    });
}

/** Links stay relative. */
const COPY = { recursive: true, verbatimSymlinks: true };

function isWanted(path) {
  return !['node_modules', '.git'].includes(basename(path));
}

/** A project with the hooks of a source. @returns more arguments of the command */
function makeProject(cwd, { kind, folder, hooks }) {
  mkdirSync(cwd, { recursive: true });
  if (kind === 'project') cpSync(folder, cwd, { ...COPY, filter: isWanted });
  if (kind === 'piece') {
    cpSync(folder, join(cwd, '.claude/hooks'), { ...COPY, filter: isWanted });
    writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }));
  }
  if (kind === 'plugin') cpSync(folder, join(cwd, 'plugin'), { ...COPY, filter: isWanted });
  const git = (...args) => spawnSync('git', args, { cwd });
  git('init', '--quiet', '--initial-branch=try');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  return kind === 'plugin' ? ['--plugin-dir', join(cwd, 'plugin')] : [];
}

/** The runs of a hook in a session. */
function runsOf({ event, hook }, { runs, cwd }) {
  const written = hook.command ?? hook.prompt ?? hook.url ?? hook.type; // an invalid hook has none of them
  const line = written
    .replaceAll('${CLAUDE_PLUGIN_ROOT}', join(cwd, 'plugin'))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return runs.filter(
    (run) => run.hook_event === event && line.startsWith(run.hook_name.replace(/…$/, '')),
  );
}

/** The end of a hook, and why. @param own its runs */
function judge(own) {
  if (own.length === 0) return { end: 'silent', why: '' };
  const failed = own.find(({ outcome }) => outcome === 'error');
  if (failed === undefined) return { end: 'succeeded', why: '' };
  const why = `${failed.exit_code ?? ''} ${failed.output} ${failed.stderr}`.replaceAll(/\s+/g, ' ');
  return { end: ABSENT.test(why) ? 'absent' : 'failed', why };
}

/** Compare the effects of a command hook, and print what the session lacks. */
async function compare(one, name, session, facts) {
  if (one.hook.command === undefined || session.runs.length === 0) return;
  const { kinds, missing, varies, isSlow } = await compareEffects(one, session, facts);
  effects.compared += 1;
  if (isSlow) effects.late += 1;
  if (varies) effects.varies += 1;
  if (missing.length === 0 && !isSlow) {
    effects.asExpected += 1;
    for (const kind of kinds.size === 0 ? ['does nothing'] : kinds)
      effects.kinds[kind] = (effects.kinds[kind] ?? 0) + 1;
  }
  for (const { kind, text, input } of missing)
    console.log(
      `${name}: ${one.event} ${one.matcher ?? ''}: ${kind} is missing: ${text.slice(0, REASON_CHARS)} ${JSON.stringify(input?.tool_input ?? '').slice(0, REASON_CHARS)}`,
    );
}

function keepFields(inputs) {
  for (const { event, input } of inputs) {
    const known = (fieldsOf[event] ??= new Set());
    for (const field of Object.keys(input ?? {})) known.add(field);
  }
}

/** Remove the folder of a session. A process that a hook has left may still write there: then it stays. */
function removeFolder(place) {
  try {
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  } catch (error) {
    console.log(`${place} stays: ${error.message}`);
  }
}

async function trySource(root, source) {
  const place = mkdtempSync(join(tmpdir(), 'troupe-hooks-'));
  try {
    const cwd = join(place, 'project');
    const args = makeProject(cwd, source);
    const home = join(place, 'home');
    const session = await runHookSession({ cwd, home, args });
    const { messages, stderr, code, inputs } = session;
    const facts = factsOf(session);
    keepFields(inputs);
    const runs = messages.filter(({ subtype }) => subtype === 'hook_response');
    const isLoaded = messages.some(({ subtype }) => subtype === 'init');
    const hooks = hooksOf(source.hooks);
    sums.hooks += hooks.length;
    if (isLoaded) sums.loaded += hooks.length;
    const name = `${basename(root)}/${source.file}`;
    if (!isLoaded || code !== 0)
      console.log(`${name}: exit code ${code}: ${stderr.slice(0, REASON_CHARS)}`);
    for (const line of stderr
      .split('\n')
      .filter((one) => /no hook event|do not run|never run/.test(one)))
      console.log(`${name}: ${line.replaceAll(place + sep, '').slice(0, REASON_CHARS)}`);
    for (const one of hooks) {
      const own = runsOf(one, { runs, cwd });
      const { end, why } = judge(own);
      await compare(one, name, { cwd, home, inputs, runs: own }, facts);
      sums[end] += 1;
      if (end !== 'silent') sums.began += 1;
      if (end !== 'succeeded')
        console.log(
          `${name}: ${one.event} ${one.matcher ?? ''}: ${end}: ${why.slice(0, REASON_CHARS)}`,
        );
    }
  } finally {
    removeFolder(place);
  }
}

for (const root of process.argv.slice(2).map((one) => resolve(one)))
  for (const source of existsSync(root) ? sourcesOf(root) : []) await trySource(root, source);
console.log(`${sums.loaded} of ${sums.hooks} hooks load.`);
console.log(
  `${sums.began} run: ${sums.succeeded} end well, ${sums.absent} lack a program or a file of theirs, ${sums.failed} fail in another way. ${sums.silent} have no event in the session.`,
);
const kinds = Object.entries(effects.kinds).map(([kind, count]) => `${kind}: ${count}`);
console.log(
  `${effects.asExpected} of ${effects.compared} command hooks have the effects of their output (${kinds.join(', ')}); ${effects.varies} say another thing by themselves, ${effects.late} take too long.`,
);
console.log(
  `${Object.keys(PUBLISHED).filter((event) => event in fieldsOf).length} published events are in the session.`,
);
for (const [event, published] of Object.entries(PUBLISHED)) {
  const fields = fieldsOf[event];
  const missing = published.filter((field) => fields?.has(field) === false);
  if (fields === undefined) console.log(`${event}: no hook had it.`);
  else if (missing.length > 0) console.log(`${event}: the input lacks ${missing.join(', ')}.`);
}
