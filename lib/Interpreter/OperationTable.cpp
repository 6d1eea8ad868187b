//===- OperationTable.cpp - Which function computes which operation -------===//

#include "OperationTable.h"

using namespace tessera;

OperationTable::OperationTable() {
  addFloatOperations(*this);
  addIntegerOperations(*this);
  addConversions(*this);
  addMatmuls(*this);
  addAttention(*this);
  addSorting(*this);
  addLibraryCalls(*this);
  addDataMovement(*this);
  addIndexedOperations(*this);
  addControlFlow(*this);
  addCollectives(*this);
  addManualRegions(*this);
  addMessages(*this);
}

const OperationTable &OperationTable::get() {
  static const OperationTable table;
  return table;
}
