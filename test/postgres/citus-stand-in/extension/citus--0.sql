-- A stand-in for Citus: functions with the names, arguments and results of Citus 13, which distribute
-- nothing and record each call.

create schema citus;

create table citus.calls (
  number bigint generated always as identity,
  called text not null,
  schema_name name not null,
  -- The number of tables in the schema.
  tables bigint not null
);

create function citus.keep_call(called text, schema_id regnamespace) returns void
language sql begin atomic
  insert into citus.calls (called, schema_name, tables)
  select called, nspname, (select count(*) from pg_class where relnamespace = n.oid and relkind = 'r')
  from pg_namespace n where n.oid = schema_id;
end;

create function citus_schema_distribute(schemaname regnamespace) returns void
language sql begin atomic
  select citus.keep_call('distribute', schemaname);
end;

-- Logical replication, which moves tables, needs a replica identity.
create function citus.require_movable(schema_id regnamespace) returns void
language plpgsql as $$ declare
  name name;
begin
  select relname into name from pg_class c
    where relnamespace = schema_id and relkind = 'r' and relreplident = 'd'
      and not exists (select from pg_index where indrelid = c.oid and indisprimary);
  if found then
    raise exception 'cannot use logical replication to transfer shards of the relation % since it doesn''t have a REPLICA IDENTITY or PRIMARY KEY', name;
  end if;
end $$;

create function citus_schema_move(
  schema_id regnamespace, target_node_name text, target_node_port integer
) returns void
language sql begin atomic
  select citus.require_movable(schema_id);
  select citus.keep_call('move to ' || target_node_name || ':' || target_node_port, schema_id);
end;

-- On a coordinator, local tables are empty; here the size is constant.
create function citus_relation_size(logicalrelid regclass) returns bigint
language sql begin atomic
  select 1048576::bigint;
end;

-- Connections to a worker use the current role, which must be allowed to log in.
create function citus.reaches_worker() returns boolean
language plpgsql as $$ begin
  if not (select rolcanlogin from pg_roles where rolname = current_user) then
    raise exception 'connection to the remote node worker:5432 failed with the following error: FATAL:  role "%" is not permitted to log in', current_user
      using errcode = '08006';
  end if;
  return true;
end $$;

create function citus.guard_rows() returns event_trigger
language plpgsql as $$ declare
  made record;
begin
  for made in
    select objid::regclass as name from pg_event_trigger_ddl_commands()
    where command_tag = 'CREATE TABLE' and schema_name ~ '^tb_'
  loop
    execute format('alter table %s enable row level security', made.name);
    execute format('alter table %s force row level security', made.name);
    execute format('create policy worker on %s using (citus.reaches_worker())', made.name);
  end loop;
end $$;

-- Does not apply to superusers.
create event trigger citus_guard_rows on ddl_command_end when tag in ('CREATE TABLE')
  execute function citus.guard_rows();

create view citus.citus_schemas as
  select n.oid::regnamespace as schema_name
  from pg_namespace n
  where exists (select from citus.calls c where c.called = 'distribute' and c.schema_name = n.nspname);

alter view citus.citus_schemas set schema pg_catalog;

create function citus_rebalance_start() returns bigint
language sql begin atomic
  select citus.require_movable(schema_name) from pg_catalog.citus_schemas;
  select count(*) from pg_catalog.citus_schemas;
end;

create function citus_drain_node(nodename text, nodeport integer) returns void
language sql begin atomic
  select citus.require_movable(schema_name) from pg_catalog.citus_schemas;
end;

grant usage on schema citus to public;
grant select, insert on citus.calls to public;

create function run_command_on_workers(
  command text, parallel boolean default true,
  out nodename text, out nodeport integer, out success boolean, out result text
) returns setof record
language sql begin atomic
  select 'worker', 5432, true, command;
end;

-- The tables of the coordinator, whose own group is 0; schemas are spread over three workers.
create table citus.pg_dist_local_group (groupid integer primary key);
insert into citus.pg_dist_local_group values (0);

create view citus.pg_dist_shard as
  select c.oid::regclass as logicalrelid, c.oid::bigint as shardid
  from pg_class c join pg_catalog.citus_schemas on schema_name::oid = relnamespace
  where relkind = 'r';

create view citus.pg_dist_placement as
  select c.oid::bigint as shardid, 1 + substr(nspname, 4)::integer % 3 as groupid
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'r' and nspname ~ '^tb_[0-9]+$';

alter table citus.pg_dist_local_group set schema pg_catalog;
alter view citus.pg_dist_shard set schema pg_catalog;
alter view citus.pg_dist_placement set schema pg_catalog;
grant select on pg_dist_local_group, pg_dist_shard, pg_dist_placement to public;
