-- Stands in for Citus where it cannot be installed: the functions that are called, with the names,
-- arguments and results of Citus 13, which spread nothing, and keep each call.

create schema citus;

create table citus.calls (
  number bigint generated always as identity,
  called text not null,
  schema_name name not null,
  -- How many tables the schema had.
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

create function citus_schema_move(
  schema_id regnamespace, target_node_name text, target_node_port integer
) returns void
language sql begin atomic
  select citus.keep_call('move to ' || target_node_name || ':' || target_node_port, schema_id);
end;

create view citus.citus_schemas as
  select n.oid::regnamespace as schema_name
  from pg_namespace n
  where exists (select from citus.calls c where c.called = 'distribute' and c.schema_name = n.nspname);

alter view citus.citus_schemas set schema pg_catalog;
grant usage on schema citus to public;
grant select, insert on citus.calls to public;
