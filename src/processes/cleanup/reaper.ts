import { once } from 'node:events';
import { startProcess } from '../start/start-process.js';
import { settlesWithin } from '../start/settles-within.js';

/** How long to wait for a dismissed reaper. A stopped process reads nothing and would never end. */
const DISMISS_MS = 1_000;

/**
 * Reads instructions from Troupe on stdin. At the end of the input (Troupe has ended in any way) it kills the groups
 * that are still alive, then every process that carries the mark or holds a file of the supervisor's folder open, until
 * two looks in a row find none. Then it removes the folder and the remaining placeholders: empty, with the sticky bit.
 * $1 is the mark, $2 the folder.
 */
const SCRIPT = `
mark=$1 folder=$2 groups=' ' litter='' newline='
'
while read -r verb pid; do
  case $verb in
    add) groups="$groups$pid " ;;
    remove) groups="\${groups%%" $pid "*} \${groups#*" $pid "}" ;;
    litter) litter="$litter$pid$newline" ;;
    dismiss) exit 0 ;;
  esac
done
for pid in $groups; do kill -s KILL -- "-$pid"; done 2>/dev/null
quiet=0 rounds=0
while [ "$quiet" -lt 2 ] && [ "$rounds" -lt 300 ]; do
  quiet=$((quiet + 1)) rounds=$((rounds + 1))
  found=$(
    grep -lsF -e "$mark/" /proc/[0-9]*/environ
    find /proc/[0-9]*/fd -lname "*/troupe-$mark/*" 2>/dev/null
  )
  for path in $found; do
    quiet=0 pid=\${path#/proc/}
    kill -s KILL "\${pid%%/*}" 2>/dev/null
  done
  [ "$rounds" -lt 100 ] || sleep 1
done
rm -rf -- "$folder"
[ -n "$litter" ] || exit 0
set -f
IFS=$newline
for path in $litter; do
  case $path in
    */.troupe/sandbox/*) rmdir -- "$path" ;;
    */.troupe/sandbox) rmdir -- "$path" ;;
    *)
      [ ! -d "\${path%/*}/.troupe/sandbox" ] || continue
      [ -k "$path" ] || continue
      if [ -d "$path" ]; then rmdir -- "$path"
      elif [ ! -s "$path" ]; then rm -f -- "$path"; fi ;;
  esac
done 2>/dev/null
`;

/** The process that cleans up if this one cannot. It does not keep the event loop alive. */
export interface Reaper {
  /** Resolves when the reaper has ended. */
  readonly ended: Promise<void>;
  isAlive(): boolean;
  /** Add a group to kill if this process vanishes. */
  add(group: number): void;
  remove(group: number): void;
  /** Add paths to remove if this process vanishes, in this order. A path with a line break is left out. */
  addLitter(paths: Iterable<string>): void;
  /** End the reaper without any cleanup. Resolves when it has ended. */
  dismiss(): Promise<void>;
}

/**
 * Start a reaper. Rejects if it does not start.
 *
 * @param env must not carry the mark, or the reaper would end itself.
 */
export async function startReaper(options: {
  readonly mark: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<Reaper> {
  const words = ['-c', SCRIPT, 'troupe-reaper', options.mark, options.folder];
  const child = await startProcess('/bin/sh', words, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // its own session: a signal to Troupe's group or terminal does not reach it
    cwd: '/',
    env: options.env,
  });
  const { stdin } = child;
  let isAlive = true;
  const gone = () => {
    isAlive = false;
  };
  const ended = once(child, 'exit').then(gone);
  stdin?.on('error', gone); // EPIPE
  child.unref();
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();

  const tell = (line: string) => {
    if (isAlive) stdin?.write(`${line}\n`);
  };
  return {
    ended,
    isAlive: () => isAlive,
    add: (group) => tell(`add ${group}`),
    remove: (group) => tell(`remove ${group}`),
    addLitter(paths) {
      for (const path of paths) if (!path.includes('\n')) tell(`litter ${path}`); // the reaper reads lines
    },
    async dismiss() {
      child.ref();
      stdin?.end('dismiss\n');
      if (!(await settlesWithin(ended, DISMISS_MS))) child.kill('SIGKILL');
      await ended;
    },
  };
}
