import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

// Node makes code fast that is over soon after. Other versions of Node have another flag.
const v8Flags = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

// npm puts the programs of packages in front, such as a language server, which agents would then have.
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);

const GIGABYTE = 2 ** 30;

/** Tests write many small files: in memory if the system has a folder there with enough room, where programs may run. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m);
    const options = mount?.[1]?.split(',') ?? [];
    const { bavail, bsize } = statfsSync(memory);
    const isFit = options.includes('rw') && !options.includes('noexec');
    return isFit && bavail * bsize > 2 * GIGABYTE ? memory : tmpdir();
  } catch {
    return tmpdir(); // not on Linux
  }
}

/** Surfaces, the sandbox, stress, faults and what takes long: `npm run test:slow`, which `.ci/run` runs too. */
const SLOW = [
  'test/actors/agents/{broken-streams,random-schedules}.test.ts',
  'test/actors/approvals/{races,untrusted-git}.test.ts',
  'test/actors/mcp/http-faults.test.ts',
  'test/actors/tasks/eviction.test.ts',
  'test/actors/teams/{crowded,random}-teams.test.ts',
  'test/docs/{declarations,words}.test.ts',
  'test/e2e/{acp-faults,control-room*,demo,interactive}.test.ts',
  'test/examples/sample-repo.test.ts',
  'test/faults/**/*.test.ts',
  'test/git/{find-git-problem,worktree}.test.ts',
  'test/machines/{exploration,products}.test.ts',
  'test/peer-bugs/**/*.test.ts',
  'test/permissions/shell/linear-growth.test.ts',
  'test/processes/{descriptors,endless-output,process-supervisor.leak}.test.ts',
  'test/processes/sandbox/**/*.test.ts',
];
/** `npm run test:terminal`. */
const SCREENS = 'test/terminal/**/*.test.ts';
const isSlow = process.env['TROUPE_SLOW'] !== undefined;
/** A slow test also runs if its file or folder is named. */
const isNamed = process.argv.slice(2).some((word) => /^(?:\.\/)?test\//.test(word));
const leavesSlow = !isSlow && !isNamed && process.env['TROUPE_DEEP'] === undefined;

const ROOT = import.meta.dirname;
const MODULES = join(ROOT, '.build/modules');

/** `--mode built`: tests import the modules that `build:once` has compiled, and nothing compiles them again. */
const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return null;
    const path = relative(join(ROOT, 'src'), join(dirname(importer), id));
    return path.startsWith('..') ? null : join(MODULES, path);
  },
};

export default defineConfig(({ mode }) => ({
  plugins: mode === 'built' ? [builtModules] : [],
  test: {
    include: isSlow ? SLOW : ['test/**/*.test.ts'],
    exclude: leavesSlow ? [...SLOW, SCREENS] : [],
    environment: 'node',
    server: { deps: { external: [/\/\.build\/modules\//] } },
    // Real processes, so that what one file starts or leaves behind cannot be taken for another's.
    pool: 'forks',
    execArgv: v8Flags,
    // On two cores: much of what tests do is waiting.
    maxWorkers: 4,
    // Modules hold no state: files may share those that are loaded.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // What was compiled before is not compiled again.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.build/vitest' },
    retry: 0,
    // What a developer's shell holds changes no result.
    env: { NO_COLOR: '1', TZ: 'UTC', PATH, TMPDIR: temporaryFolder() },
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
  },
}));
