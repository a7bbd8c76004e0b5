import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { databaseUrl, host, port } from './settings.ts';

/** PostGraphile on node:http: it makes its schema from the tables, and SQL from operations. */
const { createServ } = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: databaseUrl, schemas: ['public'] })],
  // Lists without edges, as in the contract.
  schema: { defaultBehavior: '-connection +list' },
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
});
const server = createServer();
await createServ(grafserv).addTo(server);
server.listen(port, host);
