// A process that has the built command loaded and runs command lines one after the other, each with its own folder,
// environment and streams. It ends with whoever started it.
import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';

const main = new URL('../../../dist/cli/main.js', import.meta.url);
const [, chunk] = /import\(`(\.\/chunks\/dispatch-[^`]+)`\)/.exec(readFileSync(main, 'utf8')) ?? [];
if (chunk === undefined) throw new Error(`${main.pathname} imports no dispatch`);
const { dispatch } = await import(new URL(chunk, main).href);

function capture(name) {
  const parts = [];
  const value = new Writable({
    decodeStrings: false,
    write(part, _encoding, done) {
      parts.push(part.toString());
      done();
    },
  });
  Object.defineProperty(process, name, { value, configurable: true });
  return parts;
}

process.on('message', async ({ args, cwd, env, input }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [capture('stdout'), capture('stderr')];
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  const code = await dispatch(args);
  process.send({ code, stdout: stdout.join(''), stderr: stderr.join('') });
});
process.on('disconnect', () => process.exit());
process.setMaxListeners(0); // each command listens for the end of its process
process.send('ready');
