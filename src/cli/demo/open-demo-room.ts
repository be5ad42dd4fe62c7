import type { OutputWriter } from '../output/output-writer.js';
import { showRoom } from '../web/show-room.js';
import type { TreeView } from './tree-view.js';

/** The control room of the demo. */
export interface DemoRoom {
  /** Show the recorded end until Ctrl-C. */
  untilClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Open the control room on the demo if it is wanted; otherwise say how. */
export async function openDemoRoom(
  home: string,
  {
    env,
    isWanted,
    out,
    view,
  }: {
    readonly env: NodeJS.ProcessEnv;
    readonly isWanted: boolean;
    readonly out: OutputWriter;
    readonly view: Pick<TreeView, 'tell'>;
  },
): Promise<DemoRoom | undefined> {
  if (!isWanted) {
    const command = env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'troupe demo';
    view.tell(`to see it in a browser: ${command} --web`);
    return undefined;
  }
  const world = { env: { ...env, TROUPE_HOME: home } };
  const { isTerminal } = out;
  const { address, untilSignal, close } = await showRoom(world, {
    port: 0,
    opens: true,
    isTerminal,
  });
  await out.line(`The control room: ${address}`); // whole: a browser cannot open a part
  return {
    close,
    async untilClosed() {
      await out.line('');
      await out.line(`The control room shows the recorded session until Ctrl-C: ${address}`);
      await untilSignal();
    },
  };
}
