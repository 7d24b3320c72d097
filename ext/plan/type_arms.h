// Type arms: alternatives of a filter that ask for entities whose property has another type than
// its column. `N eq 4` leaves out an entity whose N is the String '4', although the user has to
// know of it (mismatch=error). With the arm, `(N eq 4 or N ge '')`, the service returns it, and
// reading N is the error. Arms never replace a condition: they use the room that conditions leave.
// GUID and BINARY have no arm, because no filter is true for every value of these types.
//
// Thread rule: pure; any thread.
#pragma once

#include <vector>

#include "odata/filter.h"
#include "plan/bound_plan.h"

namespace aztables {

// Adds the arms that fit to every query of the read: String arms for all its properties, then those
// of the next type. If the read has a comparison that is never true and no arm fits, it is empty.
void AddTypeArms(BoundPlan& read);

// The same for one query of the read, after other alternatives were added to its clauses.
void AddTypeArms(EntityQuery& query, const std::vector<ComparedProperty>& compared);

}  // namespace aztables
