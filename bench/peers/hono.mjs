// The Hono app behind a socket.
//
//   node bench/peers/hono.mjs PORT
import { serve } from '@hono/node-server';

import { createApp } from './hono-app.mjs';

serve({ fetch: createApp().fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });
