import type { Environment } from '../../api/types.js';
import { userFolders } from '../../api/files/folders.js';
import { ownFile } from '../../api/files/own-package.js';
import { createLiveLook } from './live-troupes.js';
import { parse, roomCommands } from './room-commands.js';
import { pastEvents, roomEvents, Watched } from './room-events.js';
import { replyEvents, WatchedReply } from './reply-events.js';
import { createSessionList } from './session-list.js';
import { openWebServer, type WebServer } from './web-server.js';

/**
 * Serve the control room on this machine.
 *
 * @throws UsageError if the port cannot be used
 */
export function openRoom(world: { readonly env: Environment }, port: number): Promise<WebServer> {
  const home = userFolders(world.env).troupe;
  const list = createSessionList(home);
  const file = (name: string, type: string) => ({ file: ownFile(`dist/page/${name}`), type });
  return openWebServer(
    {
      files: {
        '/': file('index.html', 'text/html; charset=utf-8'),
        '/app.js': file('app.js', 'text/javascript; charset=utf-8'),
        '/style.css': file('style.css', 'text/css; charset=utf-8'),
        '/machines.json': file('machines.json', 'application/json'),
      },
      streams: {
        '/events': (body, signal) =>
          roomEvents(parse(Watched, body), { home, list, look: createLiveLook(world), signal }),
        '/reply': (body, signal) => replyEvents(parse(WatchedReply, body), { world, signal }),
        '/past': (body, signal) => pastEvents(parse(Watched, body), { home, signal }),
      },
      commands: roomCommands(world),
    },
    port,
  );
}
