import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Reads what Troupe tells it; at the end of its input (Troupe is gone, however that came) it kills the groups that are
 * still alive, then whatever carries the mark or holds a file of the keeper's folder until two looks in a row find
 * nothing, and removes the folder and what is left of placeholders: empty, and with the sticky bit. $1 is the mark, $2
 * the folder.
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

/** The process that cleans up when this one cannot. It does not keep the event loop alive. */
export interface Reaper {
  isAlive(): boolean;
  /** A group to kill, should this process vanish. */
  add(group: number): void;
  remove(group: number): void;
  /** Paths to tidy away, should this process vanish; those that were added before stay. */
  addLitter(paths: readonly string[]): void;
  /** All is well: it ends without doing anything. Resolves when it has. */
  dismiss(): Promise<void>;
}

/** @param env must not carry the mark, or the reaper would end itself. */
export function startReaper(options: {
  readonly mark: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}): Reaper {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'troupe-reaper', options.mark, options.folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // its own session: what ends Troupe's group or terminal does not reach it
    cwd: '/',
    env: options.env,
  });
  let isAlive = child.pid !== undefined;
  const ended = () => {
    isAlive = false;
  };
  child.once('exit', ended);
  child.once('error', ended);
  child.stdin.on('error', ended); // EPIPE: it is gone, and the next shell starts another
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();

  const litter = new Set<string>();
  const tell = (line: string) => {
    if (isAlive) child.stdin.write(`${line}\n`);
  };
  return {
    isAlive: () => isAlive,
    add: (group) => tell(`add ${group}`),
    remove: (group) => tell(`remove ${group}`),
    addLitter(paths) {
      for (const path of paths) {
        if (litter.has(path) || path.includes('\n')) continue; // lines are all that it reads
        litter.add(path);
        tell(`litter ${path}`);
      }
    },
    async dismiss() {
      if (!isAlive) return;
      child.ref();
      const exited = once(child, 'exit');
      child.stdin.end('dismiss\n');
      await exited;
    },
  };
}
