/**
 * Shell functions that create users by writing the account files directly, because an image may not have useradd. They
 * read `$root` and call `fail` and `make_directory`. Creating an existing user changes nothing.
 */
export const userFunctions = String.raw`
passwd=$root/etc/passwd group=$root/etc/group shadow=$root/etc/shadow
make_directory "$root/etc"
for table in "$passwd" "$group"; do
  [ -e "$table" ] || ( umask 022; printf '' > "$table" ) || fail "cannot write $table"
done
[ -e "$shadow" ] || printf '' > "$shadow" || fail "cannot write $shadow"

# has_entry TABLE NAME
has_entry() {
  while IFS=: read -r entry _ || [ -n "$entry" ]; do [ "$entry" != "$2" ] || return 0; done < "$1"
  return 1
}

# next_id TABLE: the first number for people that is above all in use
next_id() {
  highest=999
  while IFS=: read -r _ _ number _ || [ -n "$number" ]; do
    case $number in '' | *[!0-9]*) continue ;; esac
    if [ "$number" -gt "$highest" ] && [ "$number" -lt 60000 ]; then highest=$number; fi
  done < "$1"
  echo $((highest + 1))
}

# add_line FILE LINE: unless it is there, and after the end of the last line where that is missing
add_line() {
  ending=''
  if [ -e "$1" ]; then
    while IFS= read -r line || { [ -n "$line" ] && ending='\n'; }; do [ "$line" != "$2" ] || return 0; done < "$1"
  fi
  printf "$ending%s\n" "$2" >> "$1" || fail "cannot write $1"
}

# make_group NAME
make_group() { has_entry "$group" "$1" || add_line "$group" "$1:x:$(next_id "$group"):"; }

# look_up NAME: sets user_id, group_id and home
look_up() {
  while IFS=: read -r entry _ user_id group_id _ home _ || [ -n "$entry" ]; do
    [ "$entry" != "$1" ] || return 0
  done < "$passwd"
  fail "there is no user $1"
}

# group_number NAME
group_number() {
  while IFS=: read -r entry _ number _ || [ -n "$entry" ]; do [ "$entry" != "$1" ] || echo "$number"; done < "$group"
}

# make_user NAME COMMENT HOME SHELL PRIMARY-GROUP PASSWORD
make_user() {
  if has_entry "$passwd" "$1"; then return 0; fi
  make_group "$5"
  add_line "$passwd" "$1:x:$(next_id "$passwd"):$(group_number "$5"):$2:$3:$4"
  add_line "$shadow" "$1:$6::0:99999:7:::"
  look_up "$1"
  make_directory "$root$home"
  chmod 0750 "$root$home" && chown "$user_id:$group_id" "$root$home" || fail "cannot make the home of $1"
}

# join_group NAME GROUP
join_group() {
  make_group "$2"
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in "$2":*)
      case ",${"$"}{line##*:}," in *",$1,"*) ;; ,,) line=$line$1 ;; *) line=$line,$1 ;; esac ;;
    esac
    printf '%s\n' "$line"
  done < "$group" > "$group.new" && cat "$group.new" > "$group" && rm "$group.new" || fail "cannot write $group"
}

# allow_sudo NAME RULE
allow_sudo() {
  make_directory "$root/etc/sudoers.d"
  add_line "$root/etc/sudoers.d/90-cloud-init-users" "$1 $2"
  chmod 0440 "$root/etc/sudoers.d/90-cloud-init-users"
}

# authorize_key NAME KEY
authorize_key() {
  look_up "$1"
  directory=$root$home/.ssh
  make_directory "$directory"
  add_line "$directory/authorized_keys" "$2"
  chmod 0700 "$directory" && chmod 0600 "$directory/authorized_keys" &&
    chown "$user_id:$group_id" "$directory" "$directory/authorized_keys" || fail "cannot authorize a key of $1"
}
`.trim();
